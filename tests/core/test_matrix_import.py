"""Pasted text and uploaded bytes: the right matrix, a named doubt, or one refusal; never anything else."""

import io
import pickle
import struct
import tracemalloc
import zipfile
import zlib

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.matrix_import.npy import MAGIC
from core.matrix_import.npz import MAX_MEMBERS
from core.matrix_import.text import understand
from core.matrix_import.understood import DELIMITERS, DOUBTS, MAX_BYTES, NOTES
from core.matrix_import.upload import understand_bytes
from core.matrix_text import MAX_SIDE, spell

CELL = st.floats(-1e6, 1e6).map(lambda value: value + 0.0)
MATRIX = st.integers(1, MAX_SIDE).flatmap(
    lambda width: st.lists(st.tuples(*[CELL] * width), min_size=1, max_size=MAX_SIDE).map(tuple)
)
WORD = st.text("abcxyz猫狗 _-", min_size=1, max_size=5).map(lambda text: f"w{text.strip()}")


def npy(array, **how):
    stream = io.BytesIO()
    np.save(stream, array, **how)
    return stream.getvalue()


def npz(save=np.savez, **arrays):
    stream = io.BytesIO()
    save(stream, **arrays)
    return stream.getvalue()


def zipped(members, method=zipfile.ZIP_DEFLATED):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return stream.getvalue()


def refusal(read, *arguments, **keywords):
    with pytest.raises(InputError) as caught:
        read(*arguments, **keywords)
    return caught.value


@pytest.mark.parametrize(
    ("text", "matrix", "how"),
    [
        ("1\t2\n3\t4\n", ((1, 2), (3, 4)), ("tab", ".")),
        ("0,5\t0,25\r1,5\t2\r\t\r", ((0.5, 0.25), (1.5, 2)), ("tab", ",")),
        ("1;2\r\n3;4\r\n\r\n", ((1, 2), (3, 4)), ("semicolon", ".")),
        ("1,0;0.5,-2", ((1, 0), (0.5, -2)), ("link", ".")),
        ("1,0,1;0,1,0", ((1, 0, 1), (0, 1, 0)), ("link", ".")),
        ("1.5, 2\n3, 4", ((1.5, 2), (3, 4)), ("comma", ".")),
        ('"0,5","0,25"', ((0.5, 0.25),), ("comma", ",")),
        ("1\u00a02\n3 4", ((1, 2), (3, 4)), ("space", ".")),
        ("\ufeff1 2\r3 4\r", ((1, 2), (3, 4)), ("space", ".")),
        ("1,5 2,5\n3 4", ((1.5, 2.5), (3, 4)), ("space", ",")),
        ('"1,5"\n"3"', ((1.5,), (3,)), ("comma", ",")),
        ("1,5\t\n3\t", ((1.5,), (3,)), ("tab", ",")),
        ("1,5;2\n;", ((1.5, 2),), ("semicolon", ",")),
        ("\u22121  2e-3", ((-1, 0.002),), ("space", ".")),
        ("１．５，２\n３，４", ((1.5, 2), (3, 4)), ("comma", ".")),
        ("[[1, 2], [3, 4]]", ((1, 2), (3, 4)), ("literal", ".")),
        ("Q = np.array([[1., 2.],\n   [3, -4e-1]])", ((1, 2), (3, -0.4)), ("literal", ".")),
        ("tensor([[1., 2.]], dtype=torch.float64, grad_fn=<MulBackward0>)", ((1, 2),), ("literal", ".")),
        ("[[1. 2.]\n [3. 4.]]", ((1, 2), (3, 4)), ("literal", ".")),
        ("[1 2; 3 4]", ((1, 2), (3, 4)), ("literal", ".")),
        ("((1, 2,), (3, 4),)", ((1, 2), (3, 4)), ("literal", ".")),
        ("0.00390625", ((0.00390625,),), ("space", ".")),
    ],
)
def test_text_is_read_as_it_was_meant(text, matrix, how):
    understood = understand(text)
    assert understood.matrix == matrix
    assert (understood.delimiter, understood.decimal) == how


@pytest.mark.parametrize(
    ("text", "rows", "columns"),
    [
        (";k0;k1\nq0;0,5;0,25\nq1;1;2", ("q0", "q1"), ("k0", "k1")),
        ("    k0 k1\nq0 1 2\nq1 3 4", ("q0", "q1"), ("k0", "k1")),
        ("token,猫,猫\nx,1,2\ny,3,4", ("x", "y"), ("猫", "猫")),
        ("a,b\n1,2\n3,4", None, ("a", "b")),
        ("a,1,2\nb,3,4", ("a", "b"), None),
        (",0,1\n0,0.5,0.25\n1,-1.5,2", ("0", "1"), ("0", "1")),
        ("0.5,1\n1,2", None, None),
    ],
)
def test_labels_are_told_from_numbers(text, rows, columns):
    understood = understand(text)
    assert (understood.rows, understood.columns) == (rows, columns)
    assert (understood.header, understood.row_names) == (columns is not None, rows is not None)


@pytest.mark.parametrize(
    ("text", "doubts"),
    [
        ("1,5", ("separators",)),
        ("0,5;0,25", ("separators",)),
        ("1,2\n3,4", ("separators",)),
        ("1.5,2\n3,4", ()),
        ("1\t2,5", ()),
        ("0\n0.5", ()),
        ("a,b\n1,2\n3,4", ()),
        ("1,234\t5", ("thousands",)),
        ("1,234\t0,5", ()),
        ("1,234,567", ("thousands",)),
        ("1.234;5.678\n1.5;2", ()),
        ("0,1\n0.5,0.25", ("header",)),
        ("0 0.5\n1 0.25\n2 1", ("row_names",)),
        ("2019,2020\n0.5,0.25", ("header",)),
        ("2019\t2020\t2021\n1\t0.5\t2", ("header",)),
        ("2019 0.5\n2020 0.25\n2021 1", ("row_names",)),
        ("2019 2021\n0.5 0.25", ()),
        ("-1 0\n0.5 0.25", ()),
        (",0,1\n0,0.5,0.25\n1,-1.5,2", ("header",)),
        (",0,1\nfoo,5,6", ("header",)),
        (",2020,2021\nfoo,1,2", ("header",)),
        ("0 1\nfoo 5 6", ("header",)),
        ("a b\n0 1 2\n1 3 4", ("row_names",)),
        ("\ta\tb\n0\t1\t2\n1\t3\t4", ()),
        ("7\ta\tb\nfoo\t1\t2", ("row_names",)),
        ("1,5\n2,25", ("separators",)),
        ("[1, 2]", ("one_row",)),
        ("[[[1], [2]], [[3], [4]]]", ("axes",)),
    ],
)
def test_what_could_be_read_otherwise_is_doubted(text, doubts):
    assert understand(text).doubts == doubts


@pytest.mark.parametrize(
    ("text", "keywords", "matrix"),
    [
        ("1,5", {"decimal": ","}, ((1.5,),)),
        ("1,5", {"decimal": "."}, ((1, 5),)),
        ("1,5", {"delimiter": "space"}, ((1.5,),)),
        ("0,5;0,25", {"decimal": "."}, ((0, 5), (0, 25))),
        ("0,5;0,25", {"delimiter": "link"}, ((0, 5), (0, 25))),
        ("0,1\n0.5,0.25", {"header": True}, ((0.5, 0.25),)),
        ("0 0.5\n1 0.25", {"row_names": True}, ((0.5,), (0.25,))),
        (",0,1\n0,0.5,0.25\n", {"header": True, "row_names": True}, ((0.5, 0.25),)),
        ("[[[1], [2]], [[3], [4]]]", {"index": (1,)}, ((3,), (4,))),
        ("2020;2021\n1;2", {"header": True}, ((1, 2),)),
        ("1,2\n3", {"decimal": ","}, ((1.2,), (3,))),
        ("1,2;3", {"decimal": ","}, ((1.2, 3),)),
        ("1,2;3", {"delimiter": "semicolon"}, ((1.2, 3),)),
        ("1,2\n3", {"delimiter": "space"}, ((1.2,), (3,))),
        ("1,2\nfoo,4", {"row_names": True}, ((2,), (4,))),
        ("1,2\nfoo,4", {"header": True, "row_names": True}, ((4,),)),
        ("50%,20\n10%,20", {"row_names": True}, ((20,), (20,))),
        ("7\ta\nfoo\t1", {"row_names": True}, ((1,),)),
    ],
)
def test_every_guess_can_be_overruled(text, keywords, matrix):
    assert understand(text, **keywords).matrix == matrix


def test_every_alternative_is_what_its_keywords_give():
    for text in ("1,5", "0,5;0,25", "1,2\n3,4", "1;2", "1,234;5,678"):
        understood = understand(text)
        assert understood.alternatives
        for other in understood.alternatives:
            again = understand(text, delimiter=other.delimiter, decimal=other.decimal)
            assert again.shape == other.shape
            assert again.matrix != understood.matrix


@pytest.mark.parametrize(
    ("text", "code", "values"),
    [
        ("  \n \n", "empty", {}),
        ("a,b\n", "not_number", {"row": 1, "column": 1, "value": "a"}),
        ("1,2,3\n4,5", "ragged", {"row": 2, "got": 2, "expected": 3}),
        ("[[1, 2], [3]]", "ragged", {"row": 2, "got": 1, "expected": 2}),
        ("k0,k1\n1,2\n3,abc", "not_number", {"row": 3, "column": 2, "value": "abc"}),
        ("a,1,2\nb,3,abc", "not_number", {"row": 2, "column": 3, "value": "abc"}),
        ("\tk0\tk1\nq0\t1\tabc", "not_number", {"row": 2, "column": 3, "value": "abc"}),
        ("\tk0\tk1\nq0\t1\t2\nq1\t1", "ragged", {"row": 3, "got": 2, "expected": 3}),
        ("1,2\n3", "ragged", {"row": 2, "got": 1, "expected": 2}),
        ("3\n1,2", "ragged", {"row": 2, "got": 2, "expected": 1}),
        ("1,5\n2,25\n3", "ragged", {"row": 3, "got": 1, "expected": 2}),
        ("1,2;3", "ragged", {"row": 2, "got": 1, "expected": 2}),
        ("1,0;0,1;1;", "ragged", {"row": 3, "got": 1, "expected": 2}),
        ("x\n1,5\n2", "ragged", {"row": 3, "got": 1, "expected": 2}),
        ("1,2\nfoo,4", "not_number", {"row": 2, "column": 1, "value": "foo"}),
        ("1 2\nfoo 4\nbar 5", "not_number", {"row": 2, "column": 1, "value": "foo"}),
        ("50% 12% 38%", "not_number", {"row": 1, "column": 1, "value": "50%"}),
        ("50%,20\n10%,20", "not_number", {"row": 1, "column": 1, "value": "50%"}),
        ("50%,20%\n10%,20%", "not_number", {"row": 1, "column": 1, "value": "50%"}),
        ("0,5% 99,5%", "not_number", {"row": 1, "column": 1, "value": "0,5%"}),
        ("1/2 1/4 1/4", "not_number", {"row": 1, "column": 1, "value": "1/2"}),
        ("1/2\t1\t2", "not_number", {"row": 1, "column": 1, "value": "1/2"}),
        ("1_0,2", "not_number", {"row": 1, "column": 1, "value": "1_0"}),
        ("1,2,3\n4,,6", "empty_cell", {"row": 2, "column": 2}),
        (",2\n3,4", "empty_cell", {"row": 1, "column": 1}),
        ("[[1,,2]]", "empty_cell", {"row": 1, "column": 2}),
        ("1\tnan", "not_finite", {"row": 1, "column": 2, "value": "nan"}),
        ("1\t-inf", "not_finite", {"row": 1, "column": 2, "value": "-inf"}),
        ("1e7", "too_large", {"row": 1, "column": 1}),
        ("1_0", "not_number", {"row": 1, "column": 1, "value": "1_0"}),
        ("1,234.5\t2", "thousands", {"row": 1, "column": 1, "value": "1,234.5"}),
        ("0.5\t1 234", "thousands", {"row": 1, "column": 2, "value": "1 234"}),
        ("1.5\t0,5", "decimal_mark", {"row": 1, "column": 2, "value": "0,5", "mark": "."}),
        ("k0;k1;k2\n0,5;1", "header_width", {"got": 3, "expected": 2}),
        ("1\n" * 13, "sides", {"rows": 13, "columns": 1, "limit": 12}),
        ("\t".join("1" * 13), "sides", {"rows": 1, "columns": 13, "limit": 12}),
        ("[[1, 2]", "brackets", {}),
        ("[[1, 2)]", "brackets", {}),
        ("[" * 9 + "1" + "]" * 9, "brackets", {}),
        ("1,5 abc\n2,5 3", "not_number", {"row": 1, "column": 2, "value": "abc"}),
        ("1,0,1;0,1,x", "not_number", {"row": 2, "column": 3, "value": "x"}),
        ("1;" + "2" * 200_000, "damaged", {"kind": "CSV"}),
        ("[[1, 2]] + 1", "brackets", {}),
        ("[" * 100_000, "brackets", {}),
        ("[]", "empty", {}),
        ("1" * (MAX_BYTES + 1), "too_long", {"limit": "1,000,000"}),
    ],
)
def test_what_cannot_be_read_is_refused_by_name(text, code, values):
    found = refusal(understand, text)
    assert found.code == code
    assert values.items() <= found.values.items()


@pytest.mark.parametrize(
    ("text", "texts"),
    [
        ("w\t0,50\t1\nx\t0,5\t0", (("0.50", "1"), ("0.5", "0"))),
        ("[[0.330, 1.],\n [2, 3e0]]", (("0.330", "1."), ("2", "3e0"))),
        ("０．５０ １", (("0.50", "1"),)),
    ],
)
def test_numbers_of_a_text_are_also_there_as_they_are_written(text, texts):
    assert understand(text).texts == texts
    assert understand_bytes(text.encode()).texts == texts


@pytest.mark.parametrize(
    ("text", "rows", "columns"),
    [
        ("| 1 | 2,5 |\n|---|---|\n| -3 | 4,25 |", (), ()),
        ("|   | a | b |\n| :-- | --: | :-: |\n| x | 1 | 2.5 |\n| y | -3 | 4.25 |\n", ("x", "y"), ("a", "b")),
        ("  |1|2.5|\n  |-3|4.25|", (), ()),
    ],
)
def test_a_markdown_table_is_read(text, rows, columns):
    found = understand(text)
    assert found.matrix == ((1.0, 2.5), (-3.0, 4.25))
    assert (found.rows or (), found.columns or ()) == (rows, columns)
    assert "markdown" in found.notes


@pytest.mark.parametrize("text", ["|", "||", "| 1 | 2", "|---|---|", "| x |"])
def test_bars_alone_make_no_table(text):
    with pytest.raises(InputError):
        understand(text)


def test_an_array_has_no_spelling():
    assert understand_bytes(npy(np.eye(2))).texts == ()


def test_brackets_of_uneven_depth_are_refused():
    assert refusal(understand, "[[[1]], [[2]], 3]", index=(2,)).code == "brackets"
    assert refusal(understand, "[[[[1]], [[2]]], [[[3]]]]", index=(1, 1)).code == "brackets"


def test_keywords_are_checked():
    assert refusal(understand, "1", delimiter="pipe").code == "choice"
    assert refusal(understand, "1", decimal="'").code == "choice"
    assert refusal(understand, "[[[1]], [[2]]]", index=(0, 0)).code == "index"
    assert refusal(understand, "[[[1]], [[2]]]", index=(2,)).code == "range"


def test_labels_have_a_length():
    text = "a" * 201 + "\t1"
    assert refusal(understand, text).code == "not_number"
    assert understand(text, row_names=True).rows == ("a" * 200,)
    assert understand(text[1:]).rows == ("a" * 200,)


def test_a_label_line_and_column_do_not_count_against_the_sides():
    text = "\n".join(["\t".join(["", *["k"] * MAX_SIDE]), *["\t".join(["q", *"1" * MAX_SIDE])] * MAX_SIDE])
    assert understand(text).shape == (MAX_SIDE, MAX_SIDE)


@given(matrix=MATRIX, data=st.data())
def test_a_word_among_numbers_is_named_where_it_stands(matrix, data):
    row = data.draw(st.integers(0, len(matrix) - 1))
    column = data.draw(st.integers(0, len(matrix[0]) - 1))
    cells = [[repr(value) for value in line] for line in matrix]
    cells[row][column] = data.draw(st.sampled_from(["foo", "50%", "1/2", "$3"]))
    text = "\n".join("\t".join(line) for line in cells)
    try:
        understood = understand(text)
    except InputError as error:
        assert (error.code, error.values["row"], error.values["column"]) == ("not_number", row + 1, column + 1)
        return
    # A word above one column, or before one row, is its label.
    assert cells[row][column] == "foo"
    assert understood.header != understood.row_names
    assert len(matrix[0]) == 1 if understood.header else len(matrix) == 1


@given(st.lists(st.sampled_from(["1,5", "2", "0,25", "-3"]), min_size=2, max_size=6))
def test_a_lone_column_never_mixes_decimal_commas_with_none(lines):
    commas = {line.count(",") for line in lines}
    if commas == {0, 1}:
        assert refusal(understand, "\n".join(lines)).code == "ragged"
    else:
        assert len(understand("\n".join(lines)).matrix) == len(lines)


SPELLINGS = {
    "comma": lambda rows: "\n".join(",".join(map(repr, row)) for row in rows),
    "tab": lambda rows: "\r\n".join("\t".join(map(repr, row)) for row in rows) + "\r\n",
    "semicolon": lambda rows: "\n".join(";".join(map(repr, row)).replace(".", ",") for row in rows),
    "space": lambda rows: "\n".join("  ".join(map(repr, row)) for row in rows),
    "literal": lambda rows: repr([list(row) for row in rows]),
    "link": spell,
}


@pytest.mark.parametrize("delimiter", SPELLINGS)
@given(matrix=MATRIX)
def test_text_comes_back_as_the_matrix_it_was_made_of(delimiter, matrix):
    understood = understand(SPELLINGS[delimiter](matrix), delimiter=delimiter, header=False, row_names=False)
    assert understood.matrix == matrix


@given(matrix=MATRIX, delimiter=st.sampled_from(["comma", "tab", "semicolon", "literal"]))
def test_a_guess_is_right_or_doubted(matrix, delimiter):
    understood = understand(SPELLINGS[delimiter](matrix))
    assert understood.matrix == matrix or understood.doubts


@given(matrix=MATRIX, data=st.data())
def test_labels_come_back_beside_their_matrix(matrix, data):
    rows = data.draw(st.lists(WORD, min_size=len(matrix), max_size=len(matrix)))
    columns = data.draw(st.lists(WORD, min_size=len(matrix[0]), max_size=len(matrix[0])))
    lines = ["\t".join(["", *columns]), *("\t".join([n, *map(repr, row)]) for n, row in zip(rows, matrix, strict=True))]
    understood = understand_bytes("\n".join(lines).encode("utf-16"))
    assert (understood.matrix, understood.stored) == (matrix, "utf-16")
    assert (understood.rows, understood.columns) == (tuple(rows), tuple(columns))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "gb18030"])
def test_encodings(encoding):
    understood = understand_bytes("猫\t狗\n1\t2\n".encode(encoding))
    assert understood.columns == ("猫", "狗")
    assert understood.matrix == ((1, 2),)
    assert understood.stored == encoding.removesuffix("-sig")
    assert understood.doubts == (("encoding",) if encoding == "gb18030" else ())


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("save", [npy, lambda a: npz(a=a), lambda a: npz(np.savez_compressed, a=a)])
@given(matrix=MATRIX)
@settings(max_examples=15)
def test_arrays_come_back_as_they_were_saved(save, order, matrix):
    assert understand_bytes(save(np.array(matrix, order=order))).matrix == matrix


@pytest.mark.parametrize(
    "dtype", ["<f2", ">f2", "<f4", ">f4", ">f8", "i1", "<i2", ">i4", ">i8", "u1", ">u2", "<u8", "?"]
)
def test_dtypes_are_cast_and_named(dtype):
    array = np.array([[0, 1, 2], [3, 100, 1]]).astype(dtype)
    understood = understand_bytes(npy(array))
    assert understood.matrix == tuple(map(tuple, array.astype(float).tolist()))
    assert understood.stored == array.dtype.name
    assert understood.notes == (() if array.dtype.name == "float64" else ("cast",))


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("shape", [(2, 3, 4), (2, 3, 4, 5), (1, 3, 4, 5), (2, 1, 4, 5), (1, 1, 2, 2), (2, 1, 1, 3, 2)])
def test_leading_axes_are_chosen_from(shape, order):
    array = np.asarray(np.arange(np.prod(shape)).reshape(shape), order=order)
    leading = tuple(length for length in shape[:-2] if length > 1)
    first = understand_bytes(npy(array))
    assert first.axes == leading
    assert first.doubts == (("axes",) if leading else ())
    assert ("squeezed" in first.notes) == (1 in shape[:-2])
    for index in np.ndindex(leading):
        understood = understand_bytes(npy(array), index=index)
        assert understood.matrix == tuple(map(tuple, array.squeeze()[index].tolist()))
        assert (understood.index, understood.doubts) == (index, ())


def test_one_axis_is_one_row():
    understood = understand_bytes(npy(np.array([1.0, 2.0, 3.0])))
    assert (understood.matrix, understood.doubts) == (((1, 2, 3),), ("one_row",))


def test_an_archive_lists_its_arrays():
    data = npz(wide=np.zeros((2, 50)), q=np.ones((2, 3)), words=np.array(["a"]), o=np.array([{}], dtype=object))
    understood = understand_bytes(data)
    assert [(each.name, each.shape, each.dtype) for each in understood.arrays] == [
        ("wide", (2, 50), "float64"),
        ("q", (2, 3), "float64"),
        ("words", (1,), "<U1"),
        ("o", (1,), "object"),
    ]
    assert (understood.array, understood.doubts, understood.shape) == ("q", ("array",), (2, 3))
    assert understand_bytes(data, array="q").doubts == ()
    assert refusal(understand_bytes, data, array="wide").code == "sides"
    assert refusal(understand_bytes, data, array="words").code == "dtype"
    assert refusal(understand_bytes, data, array="o").code == "pickled"
    assert refusal(understand_bytes, data, array="k").code == "choice"


class Trap:
    """Something that would leave a trace when it is unpickled."""

    sprung = False

    def __reduce__(self):
        return (setattr, (Trap, "sprung", True))


def test_pickles_are_refused_and_never_run():
    array = np.array([Trap(), 1], dtype=object)
    for data in (npy(array, allow_pickle=True), npz(a=array)):
        found = refusal(understand_bytes, data)
        assert found.code == "pickled"
        assert "pickle" in str(found)
    assert refusal(understand_bytes, pickle.dumps(Trap())).code == "not_text"
    assert not Trap.sprung


STRUCTURED = np.zeros(2, dtype=[("a", "f4"), ("b", object)])


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (npy(np.zeros((2, 2), complex)), "dtype"),
        (npy(np.array([["a"]])), "dtype"),
        (npy(np.zeros((2, 2), "V2")), "dtype"),
        (npy(np.zeros((2, 2), "M8[s]")), "dtype"),
        (npy(STRUCTURED, allow_pickle=True), "dtype"),
        (npy(np.float64(1)), "shape"),
        (npy(np.zeros((2, 2, 2, 2, 2))), "shape"),
        (npy(np.zeros((0, 3))), "empty"),
        (npy(np.zeros((13, 1))), "sides"),
        (npy(np.zeros((2000, 12, 12))), "too_long"),
        (npy(np.array([[1, np.nan]])), "not_finite"),
        (npy(np.array([[1, -np.inf]], "f2")), "not_finite"),
        (npy(np.array([[1e7]])), "too_large"),
        (npy(np.zeros((2, 2)))[:-1], "damaged"),
        (npy(np.zeros((2, 2)))[:40], "damaged"),
        (MAGIC, "damaged"),
        (MAGIC + b"\x09\x00\x10\x00", "damaged"),
        (npz(a=np.zeros((2, 2)))[:-30], "damaged"),
        (zipped({"table.xml": "<a/>"}), "no_arrays"),
        (zipped({}), "no_arrays"),
        (zipped({"a.npy": "no array"}), "damaged"),
        (zipped({"a.npy": npy(np.eye(2))}, zipfile.ZIP_LZMA), "damaged"),
        (zipped({f"{i}.npy": npy(np.eye(2)) for i in range(MAX_MEMBERS + 1)}), "members"),
        (b"\x00\x01\x02\xff", "not_text"),
        (b"1\x002", "not_text"),
        (b"", "empty"),
        (b" " * (MAX_BYTES + 1), "too_long"),
    ],
)
def test_files_that_cannot_be_read_are_refused_by_name(data, code):
    assert refusal(understand_bytes, data).code == code


def test_a_flipped_bit_in_a_stored_member_is_noticed():
    data = bytearray(npz(a=np.eye(2)))
    data[data.index(np.eye(2).tobytes()) + 7] ^= 1
    assert refusal(understand_bytes, bytes(data)).code == "damaged"


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_a_wrong_checksum_is_noticed(save):
    array = np.random.default_rng(0).standard_normal((9, 12, 12))
    data, checksum = npz(save, a=array), zlib.crc32(npy(array)).to_bytes(4, "little")
    assert data.count(checksum) == 2
    assert refusal(understand_bytes, data.replace(checksum, bytes(4))).code == "damaged"


def header_saying(shape, descr="<f8"):
    text = repr({"descr": descr, "fortran_order": False, "shape": shape}).encode()
    return MAGIC + b"\x01\x00" + struct.pack("<H", len(text)) + text


def peak_of(data):
    tracemalloc.start()
    code = refusal(understand_bytes, data).code
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return code, peak


@pytest.mark.parametrize(
    ("member", "code"),
    [
        (header_saying((12, 12)) + bytes(500_000_000), "none"),
        (header_saying((3_000_000, 2, 2)) + bytes(96_000_000), "too_long"),
        (header_saying((2**62, 12, 12)), "too_long"),
        (bytes(200_000_000), "damaged"),
    ],
    ids=["more than declared", "declared large", "declared beyond memory", "no header"],
)
def test_a_small_zip_never_unpacks_into_much_memory(member, code):
    bomb = zipped({"a.npy": member})
    assert len(bomb) < MAX_BYTES
    del member
    if code == "none":
        assert understand_bytes(bomb).matrix == ((0.0,) * 12,) * 12
        bomb = bomb.replace(b"a.npy", b"a.xyz")
        code = "no_arrays"
    assert peak_of(bomb)[0] == code
    assert peak_of(bomb)[1] < 8 * MAX_BYTES


def test_a_zip_that_lies_about_a_size_is_damaged():
    data = npz(np.savez_compressed, a=np.eye(3))
    true_size = struct.pack("<I", len(npy(np.eye(3))))
    assert true_size in data
    for lie in (0, 10, 150):
        assert refusal(understand_bytes, data.replace(true_size, struct.pack("<I", lie))).code == "damaged"
    larger = data.replace(true_size, struct.pack("<I", 2**31))
    assert understand_bytes(larger).matrix == understand_bytes(data).matrix


TEXTS = [
    "-" * 9_000 + "1",
    "(" * 9_000,
    "{" * 3_000,
    "9" * 9_000,
    "{'descr': '<f8', 'fortran_order': False, 'shape': (True, 2)}",
    "{'descr': [[]], 'fortran_order': False, 'shape': (1,)}",
    "{[]: 1}",
]


@pytest.mark.parametrize("header", TEXTS, ids=lambda text: text[:20])
def test_a_hostile_header_is_one_refusal(header):
    data = MAGIC + b"\x01\x00" + struct.pack("<H", len(header)) + header.encode() + bytes(16)
    assert refusal(understand_bytes, data).code in {"damaged", "dtype"}


def require_sense(read, *arguments, **keywords):
    try:
        understood = read(*arguments, **keywords)
    except InputError as error:
        assert str(error)
        return
    assert min(understood.shape) >= 1
    assert max(understood.shape) <= MAX_SIDE
    assert all(abs(cell) <= 1e6 for row in understood.matrix for cell in row)
    assert set(understood.doubts) <= set(DOUBTS)
    assert set(understood.notes) <= set(NOTES)
    for labels, count in zip((understood.rows, understood.columns), understood.shape, strict=True):
        assert labels is None or len(labels) == count


GUESS = st.sampled_from([None, True, False])
KEYWORDS = st.fixed_dictionaries(
    {
        "delimiter": st.sampled_from([None, *DELIMITERS]),
        "decimal": st.sampled_from([None, ".", ","]),
        "header": GUESS,
        "row_names": GUESS,
    }
)
NEARLY = st.text("0123456789.,;\t \n\r-+eE\"'[]()_naif猫\u00a0０，；", max_size=60)


@given(text=st.text(max_size=200) | NEARLY, keywords=KEYWORDS)
@example(text='"', keywords={})
@example(text='"1,2";3', keywords={})
@example(text="a;\n;", keywords={"header": True, "row_names": True})
@example(text="\ud800", keywords={})
@settings(max_examples=600)
def test_any_text_is_a_matrix_or_one_refusal(text, keywords):
    require_sense(understand, text, **keywords)


@given(data=st.binary(max_size=300) | st.binary(max_size=100).map(lambda tail: MAGIC + tail), keywords=KEYWORDS)
@settings(max_examples=300)
def test_any_bytes_are_a_matrix_or_one_refusal(data, keywords):
    require_sense(understand_bytes, data, **keywords)


FILES = [
    npy(np.eye(3)),
    npz(a=np.eye(3), b=np.ones((2, 2, 2))),
    npz(np.savez_compressed, a=np.eye(3)),
    "a,b\n1,2".encode("utf-16"),
]


@given(st.sampled_from(FILES), st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), max_size=6), st.data())
@settings(max_examples=500)
def test_a_damaged_file_is_a_matrix_or_one_refusal(file, changes, data):
    spoiled = bytearray(file)
    for at, value in changes:
        spoiled[at % len(spoiled)] = value
    length = data.draw(st.integers(0, len(spoiled)) | st.just(len(spoiled)))
    require_sense(understand_bytes, bytes(spoiled[:length]))


MEGABYTES = {
    "commas": "," * 999_999,
    "rows": "1,\n" * 333_333,
    "empty rows": ";\n" * 499_990 + "1",
    "empty rows below": "x\n" + ";\n" * 499_990,
    "open brackets": "[1," * 333_333,
    "columns": "1 " * 499_999,
    "quotes": '"' * 999_999,
    "full width": "１；" * 160_000,
    "one cell": "1" * 999_990 + "x",
    "two cells": "1" * 999_990 + "x 1",
    "one number": "1." + "1" * 999_990 + "e999999",
    "one word": "a" * 999_990,
    "a tail": "[1]" + " " * 999_990 + "x",
    "a call": "a." * 499_990 + "[1]",
    "spaces": "a" + " " * 999_990 + "=",
}


@pytest.mark.parametrize("text", MEGABYTES.values(), ids=MEGABYTES)
def test_a_megabyte_of_anything_is_one_refusal(text):
    codes = {"empty", "sides", "brackets", "damaged", "not_number", "not_finite", "empty_cell", "ragged"}
    assert refusal(understand, text).code in codes
