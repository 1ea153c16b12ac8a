"""What was learned: verified cases (dynamic memory), secure-coding guidance (static memory), and one retrieval rule."""
