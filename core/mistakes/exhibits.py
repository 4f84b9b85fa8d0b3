"""All exhibits; the snippets lie in ``snippets/mistakes`` as ``<name>_broken.py`` and ``<name>_right.py``."""

from core.mistakes.around import AROUND
from core.mistakes.exhibit import TOPICS
from core.mistakes.inside import INSIDE

EXHIBITS = tuple(sorted((*INSIDE, *AROUND), key=lambda exhibit: TOPICS.index(exhibit.topic)))

BY_NAME = {exhibit.name: exhibit for exhibit in EXHIBITS}
