"""The one way in which bad input is refused.

A refusal carries a stable ``code`` and the values that made it, so that a page can say the same sentence in the
reader's language; ``str(error)`` is the English sentence. Every code stands in ``SENTENCES`` and nowhere else.
"""

SENTENCES = {
    "shape": "{name} must have shape {expected}; it has {got}.",
    "width": "{left} has {left_width} columns and {right} has {right_width}; they must be equal.",
    "rows": "{left} has {left_rows} rows and {right} has {right_rows}; they must be equal.",
    "joined": "{left} has {columns} columns and {right} has {rows} rows; they must be equal.",
    "names": "There are {got} names; at most {limit} are possible.",
    "name_length": "Name {number} has {got} characters; at most {limit} are possible.",
    "empty": "{name} is empty; it needs at least one row and one column.",
    "not_finite": "{name}, row {row}, column {column}: {value} is not a finite number.",
    "not_number": "{name}, row {row}, column {column}: {value!r} is not a number.",
    "empty_cell": "{name}, row {row}, column {column} is empty.",
    "sides": "{name} has {rows} rows and {columns} columns; 1 to {limit} of each are possible.",
    "too_large": "{name}, row {row}, column {column}: {value} is larger than {limit} in size.",
    "ragged": "{name}, row {row}: {expected} cells are expected, as in row 1, and {got} found.",
    "header_width": "{name}: the line of labels has {got} cells and the rows have {expected}.",
    "thousands": "{name}, row {row}, column {column}: {value!r} parts thousands; write it without separators.",
    "decimal_mark": "{name}, row {row}, column {column}: {value!r} is no number if the decimal mark is {mark!r}.",
    "brackets": "{name}: the brackets do not enclose a matrix, a list of rows of equal length.",
    "index": "{name}: {expected} indices choose the matrix; {got} were given.",
    "too_long": "{name} takes {got} bytes; at most {limit} are read.",
    "not_text": "{name} is neither text nor a .npy or .npz file.",
    "damaged": "{name} is damaged or cut short: it cannot be read as {kind}.",
    "pickled": "{name} holds Python objects as a pickle. Opening pickles can run code: refused; save numbers.",
    "dtype": "{name} is stored as {got}; floating-point numbers to 64 bits, integers and Booleans can be read.",
    "no_arrays": "{name} is an archive without .npy arrays.",
    "members": "{name} holds {got} arrays; at most {limit} can be offered.",
    "range": "{name} is {value}; it must lie between {low} and {high}.",
    "choice": "{name} is {value!r}; it must be one of {choices}.",
    "divisible": "d_model {d_model} is not divisible by {n_heads} heads; divisors: {divisors}.",
    "shared": "{n_heads} heads cannot share {n_kv_heads} key-value heads evenly; divisors of {n_heads}: {divisors}.",
    "shared_by": "{name}: {n_heads} heads cannot share {n_kv_heads} key-value heads evenly; divisors of {n_heads}: "
    "{divisors}.",
    "mask_dtype": "{name} must be Boolean with True = may look; it is {got}.",
    "mask_shape": "{name} must broadcast to shape {expected} (query, key); it has {got}.",
    "leading": "The leading shapes {shapes} do not broadcast against each other.",
    "real": "{name} must hold real numbers; it is {got}.",
    "gradient": "{name} asks for gradients, which {routine} does not carry; detach it, or use attend.",
    "integers": "{name} must hold whole numbers; it is {got}.",
    "record": "{name} cannot be used as recorded times: at {place} there should be {expected}.",
    "odd_head": "A head of width {d_head} leaves one column without a partner to turn with; an even width is needed.",
    "odd_width": "d_model {d_model} is odd: its last sine has no cosine to turn with; an even width is needed.",
}


class InputError(ValueError):
    """Input that cannot be computed with; ``code`` names the rule and ``values`` what broke it."""

    def __init__(self, code: str, **values: object) -> None:
        self.code = code
        self.values = values
        super().__init__(SENTENCES[code].format(**values))


def require_choice(name: str, value: object, choices: tuple[str, ...]) -> None:
    """Raise ``InputError("choice")`` unless ``value`` is one of ``choices``."""
    if value not in choices:
        raise InputError("choice", name=name, value=value, choices=", ".join(choices))


def require_range(name: str, value: float, low: float, high: float) -> None:
    """Raise ``InputError("range")`` unless ``low`` ≤ ``value`` ≤ ``high``; NaN is outside every range."""
    if not low <= value <= high:
        raise InputError("range", name=name, value=value, low=low, high=high)
