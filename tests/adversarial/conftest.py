from __future__ import annotations

from tests.adversarial.arena import arena

__all__ = ["arena"]
