// From a token to the answer whether a sale may be made, by the Go client of oapi-codegen.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"carrier/api"
)

func text(value string) *string { return &value }

func main() {
	ctx := context.Background()
	client, err := api.NewClientWithResponses(os.Getenv("BASE_URL"))
	if err != nil {
		panic(err)
	}
	credentials := api.TokenRequest{ClientId: os.Getenv("CLIENT_ID"), ClientSecret: os.Getenv("CLIENT_SECRET")}
	token, err := client.ExchangeTokenWithResponse(ctx, credentials)
	if err != nil {
		panic(err)
	}
	question := api.GetSaleCheckParams{Npn: text("8123456"), ProductCode: text("CGL"), StateCode: "TX"}
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("authorization", "Bearer "+token.JSON201.Data.AccessToken)
		return nil
	}
	check, err := client.GetSaleCheckWithResponse(ctx, &question, authorize)
	if err != nil || check.JSON200.Data.Answer == "" {
		panic(fmt.Sprint(err, check))
	}
}
