module example.com/ramp-backend

go 1.19
