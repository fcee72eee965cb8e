module binnacle/bench/go-client

go 1.26.0
