module github.com/accordkit/accord/runtime/bench

go 1.26.0

require (
	github.com/accordkit/accord v0.0.0
	go.lsp.dev/jsonrpc2 v1.0.1
)

require github.com/go-json-experiment/json v0.0.0-20260601182631-00ed12fed2a6 // indirect

replace github.com/accordkit/accord => ../..
