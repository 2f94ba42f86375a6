// A library of the user's own; that it links lido::symbols is all that matters here.
int frames_a_second() { return 60; }
