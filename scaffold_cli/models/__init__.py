"""Language models behind one interface: any endpoint that speaks the OpenAI protocol, one on this machine included."""
