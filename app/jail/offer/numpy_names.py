"""Which names of NumPy learners get, by kind, and why the others are kept out."""

from __future__ import annotations

from app.jail.offer.refusals import NEVER_NEEDED, Refusal

CONSTANTS = "e pi inf nan newaxis euler_gamma True_ False_ little_endian"
TYPES = """
    generic number integer signedinteger unsignedinteger inexact floating complexfloating flexible
    character bool bool_ byte ubyte short ushort intc uintc int_ uint long ulong longlong ulonglong
    int8 int16 int32 int64 intp uint8 uint16 uint32 uint64 uintp half single double longdouble
    float16 float32 float64 float128 complex64 complex128 complex256 csingle cdouble clongdouble
    object_ str_ bytes_ void dtype ufunc finfo iinfo flatiter
"""
CREATION = """
    array asarray asanyarray ascontiguousarray asfortranarray asarray_chkfinite copy empty
    empty_like zeros zeros_like ones ones_like full full_like eye identity arange linspace logspace
    geomspace meshgrid mgrid ogrid indices fromfunction fromiter frombuffer fromstring tri tril triu
    diag diagflat vander tril_indices triu_indices tril_indices_from triu_indices_from diag_indices
    diag_indices_from mask_indices r_ c_ s_ index_exp ix_ require isfortran
    bartlett blackman hamming hanning kaiser
"""
SHAPE = """
    reshape ravel transpose permute_dims matrix_transpose swapaxes moveaxis rollaxis squeeze
    expand_dims broadcast broadcast_to broadcast_arrays broadcast_shapes atleast_1d atleast_2d
    atleast_3d concatenate concat stack vstack hstack dstack column_stack row_stack block split
    array_split hsplit vsplit dsplit unstack tile repeat flip fliplr flipud roll rot90 pad append
    insert delete resize trim_zeros shape ndim size astype
"""
MATHEMATICS = """
    abs absolute fabs add subtract multiply divide true_divide floor_divide power pow float_power
    mod remainder fmod divmod negative positive sign signbit copysign exp exp2 expm1 log log2 log10
    log1p logaddexp logaddexp2 sqrt cbrt square reciprocal maximum minimum fmax fmin clip sin cos
    tan arcsin arccos arctan arctan2 asin acos atan atan2 sinh cosh tanh arcsinh arccosh arctanh
    asinh acosh atanh sinc hypot deg2rad rad2deg degrees radians round around rint fix floor ceil
    trunc real imag conj conjugate angle unwrap heaviside nan_to_num real_if_close interp matmul dot
    vdot vecdot matvec vecmat inner outer tensordot einsum einsum_path kron cross trace convolve
    correlate ldexp frexp modf gcd lcm nextafter spacing i0 polyval polyfit polyadd polysub polymul
    polydiv polyder polyint poly roots poly1d
"""
REDUCTIONS = """
    sum prod cumsum cumprod cumulative_sum cumulative_prod mean median average std var max min amax
    amin argmax argmin ptp percentile quantile nansum nanprod nanmean nanmedian nanstd nanvar nanmax
    nanmin nanargmax nanargmin nancumsum nancumprod nanpercentile nanquantile diff ediff1d gradient
    trapezoid count_nonzero all any histogram histogram2d histogramdd histogram_bin_edges bincount
    digitize cov corrcoef
"""
INDEXING = """
    where choose select take take_along_axis put put_along_axis place putmask copyto compress
    extract nonzero argwhere flatnonzero searchsorted sort argsort sort_complex lexsort partition
    argpartition unique unique_all unique_counts unique_inverse unique_values union1d intersect1d
    setdiff1d setxor1d isin unravel_index ravel_multi_index fill_diagonal diagonal ndindex
    ndenumerate nditer nested_iters
"""
LOGIC = """
    equal not_equal less less_equal greater greater_equal logical_and logical_or logical_not
    logical_xor bitwise_and bitwise_or bitwise_xor bitwise_not bitwise_invert bitwise_count
    bitwise_left_shift bitwise_right_shift invert left_shift right_shift isnan isinf isfinite
    isposinf isneginf isreal isrealobj iscomplex iscomplexobj isscalar isclose allclose array_equal
    array_equiv
"""
REST = """
    apply_along_axis apply_over_axes vectorize piecewise frompyfunc result_type promote_types
    can_cast min_scalar_type issubdtype isdtype common_type mintypecode shares_memory
    may_share_memory errstate seterr geterr printoptions set_printoptions get_printoptions
    array2string array_repr array_str format_float_positional format_float_scientific binary_repr
    base_repr iterable typename packbits unpackbits __version__
"""

NAMES: dict[str, str] = {
    "numpy": CONSTANTS
    + TYPES
    + CREATION
    + SHAPE
    + MATHEMATICS
    + REDUCTIONS
    + INDEXING
    + LOGIC
    + REST,
    "numpy.linalg": """
        matrix_power solve tensorsolve tensorinv inv cholesky eigvals eigvalsh pinv slogdet det svd
        svdvals eig eigh lstsq norm qr cond matrix_rank LinAlgError multi_dot trace diagonal cross
        outer tensordot matmul matrix_transpose matrix_norm vector_norm vecdot
    """,
    "numpy.fft": """
        fft ifft rfft irfft hfft ihfft rfftn irfftn rfft2 irfft2 fft2 ifft2 fftn ifftn fftshift
        ifftshift fftfreq rfftfreq
    """,
    "numpy.random": """
        beta binomial bytes chisquare choice default_rng dirichlet exponential f gamma geometric
        gumbel hypergeometric laplace logistic lognormal logseries multinomial multivariate_normal
        negative_binomial noncentral_chisquare noncentral_f normal pareto permutation poisson power
        rand randint randn random random_integers random_sample ranf rayleigh sample seed shuffle
        standard_cauchy standard_exponential standard_gamma standard_normal standard_t triangular
        uniform vonmises wald weibull zipf Generator RandomState
    """,
    "numpy.testing": """
        assert_ assert_allclose assert_almost_equal assert_approx_equal assert_array_almost_equal
        assert_array_almost_equal_nulp assert_array_equal assert_array_less assert_array_max_ulp
        assert_equal assert_string_equal
    """,
    "numpy.exceptions": """
        AxisError ComplexWarning DTypePromotionError RankWarning TooHardError
        VisibleDeprecationWarning
    """,
    "numpy.lib": "",
    "numpy.lib.stride_tricks": "sliding_window_view broadcast_to broadcast_arrays",
}
"""Offered names by module; those this NumPy lacks are left out when the namespaces are made."""

_FILES = "it reads or writes files, and your function gets everything as arguments"
_MEMORY = "it reaches raw memory"
_MACHINE = "it reaches outside the sandbox"
_REASONS = {
    _FILES: """load save savez savez_compressed loadtxt savetxt genfromtxt fromfile memmap fromregex
        DataSource open_memmap tempdir temppath format npyio""",
    _MEMORY: "ctypeslib as_strided from_dlpack setbufsize getbufsize",
    _MACHINE: """f2py test show_config show_runtime get_include core info distutils testing measure
        rundocs runstring memusage jiffies""",
}
_WHY = {name: why for why, names in _REASONS.items() for name in names.split()}
_INSTEAD = {
    "as_strided": "Use np.lib.stride_tricks.sliding_window_view: it cannot leave the array.",
    "ma": "Use a boolean mask: x[mask], or np.where(mask, x, 0).",
    "bmat": "Use np.block.",
    "polynomial": "Use np.polyval and np.polyfit.",
    "char": "Use Python's string methods.",
    "strings": "Use Python's string methods.",
    "rec": "Use one array per field, or a dict of arrays.",
    "recarray": "Use one array per field, or a dict of arrays.",
    "seterrcall": "Use np.errstate(all='raise').",
    "attrgetter": "Write lambda x: x.name.",
    "methodcaller": "Write lambda x: x.method().",
    "singledispatch": "Use match, or isinstance and if.",
    "deepcopy": "Use x.copy().",
    "emath": "Use np.sqrt on complex numbers: np.sqrt(x + 0j).",
    "PCG64": "Use np.random.default_rng(seed).",
    "MT19937": "Use np.random.RandomState(seed).",
    "get_state": "Use np.random.default_rng(seed).",
    "set_state": "Use np.random.default_rng(seed).",
}


def refused(module: str, name: str) -> Refusal:
    """Why a name that NumPy has is not offered; `module` is spelled as in "numpy.linalg"."""
    spelled = (
        f"{module.replace('numpy', 'np', 1)}.{name}"
        if module.startswith("numpy")
        else f"{module}.{name}"
    )
    why = _WHY.get(name)
    message = f"{spelled} isn't available here" + (f": {why}." if why else ".")
    if why == _FILES:
        message = f"{spelled} isn't available here: there are no files."
        return Refusal(message, "Your function only needs its arguments.")
    return Refusal(message, _INSTEAD.get(name, NEVER_NEEDED))
