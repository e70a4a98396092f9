module example.com/sign-cases

go 1.19

require example.com/ramp-backend v0.0.0

replace example.com/ramp-backend => ../../../../examples/go
