"""Suspicion: how much a whole change reads like the removal of a protection, learnt from changes of other projects."""
