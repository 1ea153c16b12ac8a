"""The four layers behind one interface, and the engine that turns them into a verdict."""
