"""The version, apart from `emphatic` itself, so that low modules can name it without importing everything."""

__version__ = "0.2.0"
