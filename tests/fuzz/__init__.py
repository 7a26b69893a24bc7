"""What the fuzzer runs: functions of bytes that raise where a promise is broken.

    targets.py   one function for each part of the program that reads what others wrote
    run.py       `make fuzz`: Atheris looks for inputs that break one, guided by coverage
    cases/       inputs that broke one once, by target: tests/test_fuzz.py runs them all
"""
