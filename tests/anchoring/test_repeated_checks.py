"""Checks asked twice, checks of the platform, and checks put another way: what goes without loss, and what does not."""

from __future__ import annotations

import pytest

from scaffold_cli.model.verdict import LayerStatus
from tests.anchoring.judged import judge

PACKET = """
    class Packet {
        private int size;
        private int most;

        void head(Buffer in) throws Broken {
            if (in.isShort()) {
                return;
            }
            size = in.readInt();
            int kind = in.readByte();
            %s
            start(kind);
        }

        void body(Buffer in) throws Broken {
            ensureFits(size);
            copy(in, size);
        }

        private void ensureFits(int wanted) throws Broken {
            if (wanted > most) {
                throw new Broken("too long");
            }
        }
    }
    """
AT_ONCE = 'if (size > most) { throw new Broken("head too long"); }'
LATER = 'start(kind); if (size > most) { throw new Broken("head too long"); }'
LOOSER = 'if (size > 2 * most) { throw new Broken("head too long"); }'


def without_second_check(source: str) -> str:
    """The call and the helper it was the last caller of are gone."""
    head, _, rest = source.partition("        private void ensureFits")
    return head.replace("            ensureFits(size);\n", "") + rest[rest.index("\n    }") :]


@pytest.mark.parametrize(
    ("first", "wanted"),
    [(AT_ONCE, LayerStatus.PASS), ("", LayerStatus.FAIL), (LATER, LayerStatus.FAIL), (LOOSER, LayerStatus.FAIL)],
)
def test_a_field_refused_where_it_is_given_need_not_be_asked_again(first: str, wanted: LayerStatus) -> None:
    before = PACKET % first
    assert judge(before, without_second_check(before), path="Packet.java").status is wanted


@pytest.mark.parametrize(
    ("after", "wanted"),
    [
        ("return unsafeAllowed;", LayerStatus.PASS),
        ("return unsafeAllowed && isNew() && tried;", LayerStatus.FAIL),
        ("return false;", LayerStatus.FAIL),
    ],
)
def test_a_check_without_one_of_its_conditions_refuses_more(after: str, wanted: LayerStatus) -> None:
    frame = """
        class Runtime {
            private boolean isNew() { return javaVersion >= 9; }

            private boolean isUnsafeForbidden() { %s }
        }
        """
    before = frame % "return unsafeAllowed && isNew();"
    assert judge(before, frame % after, path="Runtime.java").status is wanted


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [("sys.version_info < (3, 8)", LayerStatus.PASS), ("request.version < (3, 8)", LayerStatus.FAIL)],
)
def test_a_test_of_the_interpreter_tells_nothing_of_what_came_in(asked: str, wanted: LayerStatus) -> None:
    before = f"def load(request):\n    if {asked}:\n        raise ValueError('old')\n    return open(request.name)\n"
    assert judge(before, "def load(request):\n    return open(request.name)\n").status is wanted


COUNTED = """
    class Reader {
        long read(Source in) throws Broken {
            long value = 0;
            int used = 0;
            int piece;
            do {
                piece = in.next();
                value = value * 64 + (piece & 63);
                used++;
            } while ((piece & 64) != 0 && used < 5);
            if (used == 5 && (piece & 64) != 0) {
                throw new Broken("number longer than five bytes");
            }
            return value;
        }
    }
    """
LOOPED = """
    class Reader {
        long read(Source in) throws Broken {
            return number(in);
        }

        private static long number(Source in) throws Broken {
            long value = 0;
            for (int used = 0; used < 5; used++) {
                int piece = in.next();
                value = value * 64 + (piece & 63);
                if ((piece & 64) == 0) {
                    return value;
                }
            }
            throw new Broken("number longer than five bytes");
        }
    }
    """


def test_a_count_against_a_loop_that_answers_in_time_passes() -> None:
    assert judge(COUNTED, LOOPED, path="Reader.java").status is LayerStatus.PASS


def test_the_error_behind_a_loop_that_answers_is_a_refusal() -> None:
    after = LOOPED.replace('throw new Broken("number longer than five bytes");', "return value;")
    assert judge(LOOPED, after, path="Reader.java").status is LayerStatus.FAIL
    assert judge(COUNTED, after, path="Reader.java").status is LayerStatus.FAIL
