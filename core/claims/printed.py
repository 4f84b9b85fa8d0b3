"""The numbers that the lecture notes print, exactly as printed: right or wrong, they are quotations, not results."""

WORKED_Q = ((1.0, 0.0, 1.0, 0.0), (0.0, 1.0, 0.0, 1.0), (1.0, 1.0, 1.0, 1.0))
WORKED_K = ((1.0, 0.0, 1.0, 0.0), (0.0, 1.0, 0.0, 1.0), (1.0, 1.0, 0.0, 0.0))
WORKED_V = ((0.1, 0.2, 0.3, 0.4), (0.5, 0.6, 0.7, 0.8), (0.9, 1.0, 1.1, 1.2))
WORKED_SCORES = (("2", "0", "1"), ("0", "2", "1"), ("2", "2", "2"))
WORKED_SCALED = (("1.0", "0.0", "0.5"), ("0.0", "1.0", "0.5"), ("1.0", "1.0", "1.0"))
WORKED_WEIGHTS = (("0.50", "0.12", "0.38"), ("0.12", "0.50", "0.38"), ("0.33", "0.33", "0.33"))

LIBRARY_KEYS = ("动物学", "烹饪", "宠物")
LIBRARY_SIMILARITIES = (0.8, 0.2, 0.9)
LIBRARY_WEIGHTS = ("0.5", "0.1", "0.4")

FOUR_SCORES = (0.1, 0.9, 0.2, 0.7)
FOUR_WEIGHTS = ("0.05", "0.45", "0.15", "0.35")

LARGE_D_K = (64, 512)
MODULE_D_MODEL, MODULE_HEADS = 64, 4
DEFAULT_D_MODEL, DEFAULT_HEADS = 512, 8

POSITION_ROTATION = (
    r"\begin{bmatrix} \sin(t + \Delta) \\ \cos(t + \Delta) \end{bmatrix} ="
    r" \begin{bmatrix} \cos \Delta & \sin \Delta \\ - \sin \Delta & \cos \Delta \end{bmatrix}"
    r" \begin{bmatrix} \sin t \\ \cos t \end{bmatrix}"
)
POSITION_FREQUENCY = r"(10000^{\frac k {d - 1}})^{-1}"
POSITION_PRODUCT = r"PE_m^T PE_n = PE_n^T PE_m = \sum \cos(w_i (m - n))"

COMPLEXITY_D = 64
COMPLEXITY_TABLE = (
    (32, 131_072, 65_536, 1_024),
    (64, 262_144, 262_144, 4_096),
    (128, 524_288, 1_048_576, 16_384),
    (256, 1_048_576, 4_194_304, 65_536),
    (512, 2_097_152, 16_777_216, 262_144),
    (1024, 4_194_304, 67_108_864, 1_048_576),
)
COMPLEXITY_TURN = 128
PATH_TABLE = ((1, 1, 1), (5, 5, 1), (10, 10, 1), (50, 50, 1), (100, 100, 1), (500, 500, 1))
VANISHED_STEPS = 100
LONG_CONTEXTS = ((8, "64"), (128, "16"))
TRAINING_SPEEDUP = (5, 20)
TYPICAL_MAXIMUM = 512

LISTING_WORDS = ("我", "喜欢", "吃", "苹果", "因为", "它", "很", "甜", "。", "<pad>")
LISTING_ROW_0 = "[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]"
LISTING_ROW_5 = ("0.12", "0.08", "0.15", "0.18", "0.22", "0.25", "0.00", "0.00", "0.00", "0.000")
LISTING_ROW_SUM = "1.000000"
LISTING_MASK_SHAPE = "[1, 1, 10, 10]"
LISTING_SHAPES = ("[2, 10, 64]", "[2, 10, 64]", "[2, 4, 10, 10]")
LISTING_D_FF = 256
LISTING_PARAMETERS, LISTING_BLOCK_PARAMETERS = "16,834", "33,538"
LISTING_LONGEST = "1,024"
EIGHT_HEADS = (8, 64, 512)
