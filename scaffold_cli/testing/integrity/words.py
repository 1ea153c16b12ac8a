"""The vocabulary of assertion libraries: what each word demands."""

from __future__ import annotations

from scaffold_cli.testing.integrity.interface import Strength


def _table(text: str) -> frozenset[str]:
    return frozenset(text.split())


EXACT = _table("""
    equal equals isequalto tobe toequal tostrictequal eq eql deepequal strictequal deepstrictequal same issameas
    assertequal assertequals assertsame assertarrayequals assertiterableequals assertlinesmatch assertlistequal
    assertdictequal asserttupleequal assertsetequal assertsequenceequal assertmultilineequal assertcountequal assertis
    assert_equal assert_array_equal assert_frame_equal assert_series_equal assert_called_with assert_called_once_with
    assert_has_calls assert_awaited_with assert_awaited_once_with assert_any_call assert_not_called containsexactly
    containsexactlyinanyorder containsexactlyelementsof hasvalue tomatchsnapshot tomatchinlinesnapshot
    tohavebeencalledwith tohavebeenlastcalledwith toreturnwith assertstatus is equalto comparesequalto
    assertnologs assertlogs assertwarns assertnumqueries
""")
CLOSE = _table("""
    tobecloseto assertalmostequal assertalmostequals iscloseto iscloseby closeto approximately assert_allclose
    assert_almost_equal assert_approx_equal allclose isclose
""")
BOUND = _table("""
    contains tocontain tomatch tomatchobject tocontainequal assertin assertregex assertregexpmatches startswith endswith
    hasmessage hasmessagecontaining isgreaterthan isgreaterthanorequalto islessthan islessthanorequalto isbetween
    tobegreaterthan tobegreaterthanorequal tobelessthan tobelessthanorequal tohavelength hassize tohaveproperty
    assert_called assert_called_once assert_awaited tohavebeencalled tohavebeencalledtimes include includes
    assertgreater assertgreaterequal assertless assertlessequal matches assertcontains assertredirects haslength
    containskey containsvalue containsentry hasfieldorproperty containsstring hasitem hasitems lengthof
    assertdictcontainssubset tohavetextcontent hasmessagestartingwith hasrootcause above below least most within
""")
TRUTHY = _table("""
    tobetruthy tobefalsy tobedefined assertnotnull assertisnotnone asserttrue assertfalse assert_ istrue isfalse ok
    exist isinstanceof assertisinstance assertinstanceof tobeinstanceof ispresent isnotempty true false isinstance
    instanceof isnotnull notnullvalue assertnotempty assert_true assert_false istruthy defined a an any anything
    isexactlyinstanceof assertdoesnotthrow doesnotthrow doesnotthrowanyexception notthrow
""")
NULL = _table("isnull assertnull assertisnone tobenull tobeundefined nullvalue undefined null isempty isabsent")
"""Exact: the value is null or empty."""
OPPOSITE = {
    "assertnotequal": "assertequal", "assertnotequals": "assertequals", "isnotequalto": "isequalto",
    "notequal": "equal", "notstrictequal": "strictequal", "notdeepequal": "deepequal", "assertisnot": "assertis",
    "notdeepstrictequal": "deepstrictequal", "assertnotsame": "assertsame", "isnotsameas": "issameas",
    "assertnotin": "assertin", "doesnotcontain": "contains", "assertnotregex": "assertregex",
    "assertfalse": "asserttrue", "isfalse": "istrue", "tobefalsy": "tobetruthy", "false": "true",
    "assertnotnull": "assertnull", "assertisnotnone": "assertisnone", "isnotnull": "isnull", "tobedefined":
    "tobeundefined", "isnotempty": "isempty", "assert_false": "assert_true", "assertnotisinstance": "assertisinstance",
    "doesnotmatch": "matches", "ispresent": "isabsent", "assert_not_equal": "assert_equal", "isnotok": "ok",
    "assertnotalmostequal": "assertalmostequal", "assertnotcontains": "assertcontains",
}  # fmt: skip
"""Words that demand the opposite of another word."""
RAISES = _table("""
    raises assertraises assertraisesregex assertraisesregexp assertthrows assertthrowsexactly expectthrows throws
    rejects tothrow tothrowerror tothrowerrormatchingsnapshot assertthatthrownby assertthatexceptionoftype throw
    throwerror assertthatcode expectthrowsexactly
""")
PATTERNS = _table("""
    assertraisesregex assertraisesregexp hasmessage hasmessagecontaining hasmessagestartingwith hasmessagematching
""")
CHAINS = frozenset({"assertThat", "expect", "assertThatThrownBy", "assertThatExceptionOfType", "verify", "should"})
"""Calls from which a chain of demands hangs."""
BROAD_ERRORS = frozenset({
    "", "Exception", "BaseException", "Throwable", "RuntimeException", "Error", "object", "Object", "StandardError",
    "java.lang.Exception", "java.lang.Throwable", "builtins.Exception",
})  # fmt: skip
HELPERS = ("assert", "check_", "verify_", "expect_", "_assert", "_check", "should_", "ensure_", "verify", "check")
"""How the names of helpers that assert begin."""


def strength_of(word: str) -> tuple[Strength, str, bool]:
    """What a word of an assertion library demands: strength, the positive word, whether it is positive."""
    low = word.lower()
    positive = low not in OPPOSITE
    base = OPPOSITE.get(low, low)
    if base in NULL:
        return (Strength.EXACT if positive else Strength.TRUTHY), base, positive
    for table, strength in ((EXACT, Strength.EXACT), (CLOSE, Strength.CLOSE), (TRUTHY, Strength.TRUTHY)):
        if base in table:
            return (strength if positive or strength is Strength.TRUTHY else Strength.TRUTHY), base, positive
    return Strength.BOUND, base, positive
