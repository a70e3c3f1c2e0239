"""Measures if problems can be trusted, without any model.

mutation    do the tests kill almost right programs?
"""
