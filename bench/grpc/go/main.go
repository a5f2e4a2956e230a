// The peer in Go: grpc-go alone, or with a role check and a line of zerolog in a file.  server bare|chain
//
// It speaks with its parent as a child of Node does: a line of JSON each, over NODE_CHANNEL_FD.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"net"
	"os"
	"strconv"
	"syscall"
	"time"

	"github.com/rs/zerolog"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"

	shapes "bench/shapes"
)

var product = &shapes.Product{
	Title:    "A small lamp for the desk",
	Price:    &shapes.Money{Currency: "EUR", Units: 49, Nanos: 990000000},
	WeightKg: 1.25,
	Tags:     []string{"home", "light", "sale"},
	State:    shapes.State_STATE_ON_SALE,
	Fragile:  true,
}

type shop struct{ shapes.UnimplementedShopServer }

func (shop) Get(_ context.Context, request *shapes.GetRequest) (*shapes.Product, error) {
	return named(request.Name), nil
}

func (shop) Put(_ context.Context, request *shapes.Products) (*shapes.Amount, error) {
	return &shapes.Amount{Items: int32(len(request.Products))}, nil
}

func (shop) Watch(request *shapes.Amount, stream shapes.Shop_WatchServer) error {
	answer := named("products/1")
	for i := int32(0); i < request.Items; i++ {
		if err := stream.Send(answer); err != nil {
			return err
		}
	}
	return nil
}

func named(name string) *shapes.Product {
	return &shapes.Product{
		Name:     name,
		Title:    product.Title,
		Price:    product.Price,
		WeightKg: product.WeightKg,
		Tags:     product.Tags,
		State:    product.State,
		Fragile:  product.Fragile,
	}
}

func admit(ctx context.Context) error {
	md, _ := metadata.FromIncomingContext(ctx)
	for _, role := range md.Get("x-role") {
		if role == "staff" {
			return nil
		}
	}
	return status.Error(codes.PermissionDenied, "the role staff is needed")
}

// What the line of apix says of a call.
func note(log *zerolog.Logger, ctx context.Context, method string, begun time.Time, err error) {
	event := log.Info().Str("method", method).Str("code", status.Code(err).String())
	if from, ok := peer.FromContext(ctx); ok {
		event = event.Str("peer", from.Addr.String())
	}
	event.Dur("duration", time.Since(begun)).Msg("call ended")
}

func chain(log *zerolog.Logger) []grpc.ServerOption {
	unary := func(ctx context.Context, request interface{}, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (interface{}, error) {
		begun := time.Now()
		err := admit(ctx)
		var answer interface{}
		if err == nil {
			answer, err = next(ctx, request)
		}
		note(log, ctx, info.FullMethod, begun, err)
		return answer, err
	}
	stream := func(server interface{}, stream grpc.ServerStream, info *grpc.StreamServerInfo, next grpc.StreamHandler) error {
		begun := time.Now()
		err := admit(stream.Context())
		if err == nil {
			err = next(server, stream)
		}
		note(log, stream.Context(), info.FullMethod, begun, err)
		return err
	}
	return []grpc.ServerOption{grpc.UnaryInterceptor(unary), grpc.StreamInterceptor(stream)}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	options := []grpc.ServerOption{grpc.MaxRecvMsgSize(4 << 20)}
	if os.Args[1] == "chain" {
		file, err := os.OpenFile(os.Getenv("LOG"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		must(err)
		log := zerolog.New(file).With().Timestamp().Logger()
		options = append(options, chain(&log)...)
	}
	server := grpc.NewServer(options...)
	shapes.RegisterShopServer(server, &shop{})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	go func() { must(server.Serve(listener)) }()

	fd, err := strconv.Atoi(os.Getenv("NODE_CHANNEL_FD"))
	must(err)
	parent := os.NewFile(uintptr(fd), "parent")
	answers := json.NewEncoder(parent)
	must(answers.Encode(map[string]int{"port": listener.Addr().(*net.TCPAddr).Port}))
	for questions := bufio.NewScanner(parent); questions.Scan(); {
		var used syscall.Rusage
		must(syscall.Getrusage(syscall.RUSAGE_SELF, &used))
		micros := (used.Utime.Sec+used.Stime.Sec)*1_000_000 + used.Utime.Usec + used.Stime.Usec
		must(answers.Encode(map[string]float64{"cpuMs": float64(micros) / 1_000}))
	}
}
