"""Code that leaves a protection where it is and takes its effect: hidden text, swallowing, replacing, going round."""
