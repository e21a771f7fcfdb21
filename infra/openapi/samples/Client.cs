// .NET 8 or later, without packages. Not compiled or run by this API's tests, unlike the others.
using System.Net;
using System.Net.Http.Json;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;

var http = new HttpClient { BaseAddress = new Uri(Variable("BASE_URL")), Timeout = TimeSpan.FromSeconds(60) };
var token = (await Send(HttpMethod.Post, "/v2/auth/jwt",
    new { clientId = Variable("CLIENT_ID"), clientSecret = Variable("CLIENT_SECRET") }))
    .GetProperty("data").GetProperty("accessToken").GetString();
var check = new { seller = new { npn = "8123456" }, product = new { productCode = "CGL" }, stateCode = "TX" };
var answer = (await Send(HttpMethod.Post, "/v2/upstream/sale-checks", new { receipt = true, checks = new[] { check } }, token))
    .GetProperty("data");
Console.WriteLine($"{answer.GetProperty("checks")[0].GetProperty("answer")} {await VerifyReceipt(answer.GetProperty("jws").GetString()!)}");
await Receive(int.Parse(Environment.GetEnvironmentVariable("PORT") ?? "8080"));

static string Variable(string name) => Environment.GetEnvironmentVariable(name) ?? throw new ArgumentNullException(name);

static byte[] Decode(string text) =>
    Convert.FromBase64String(text.Replace('-', '+').Replace('_', '/').PadRight((text.Length + 3) / 4 * 4, '='));

// Sends a request, and again while that can help; a write has one idempotency key for all attempts.
async Task<JsonElement> Send(HttpMethod method, string path, object? body = null, string? bearer = null)
{
    var key = Guid.NewGuid().ToString();
    for (var attempt = 1; ; attempt++)
    {
        var wait = TimeSpan.FromSeconds(Math.Min(1 << attempt, 60) * (0.5 + Random.Shared.NextDouble() / 2));
        var request = new HttpRequestMessage(method, path) { Content = body is null ? null : JsonContent.Create(body) };
        if (bearer is not null) request.Headers.Add("authorization", $"Bearer {bearer}");
        if (bearer is not null && method != HttpMethod.Get) request.Headers.Add("idempotency-key", key);
        try
        {
            using var response = await http.SendAsync(request);
            if (response.IsSuccessStatusCode) return await response.Content.ReadFromJsonAsync<JsonElement>();
            var retryAfter = response.Headers.RetryAfter?.Delta;
            if (attempt == 6 || (retryAfter is null && (int)response.StatusCode < 500))
                throw new InvalidOperationException(await response.Content.ReadAsStringAsync());
            wait += retryAfter ?? TimeSpan.Zero;
        }
        // Was it executed? With the same key it is executed once.
        catch (Exception failure) when (attempt < 6 && failure is HttpRequestException or TaskCanceledException) { }
        await Task.Delay(wait);
    }
}

// The id of a receipt whose signature is this service's.
async Task<string?> VerifyReceipt(string jws)
{
    var parts = jws.Split('.');
    var kid = JsonDocument.Parse(Decode(parts[0])).RootElement.GetProperty("kid").GetString();
    var key = (await Send(HttpMethod.Get, "/v2/jwks.json")).GetProperty("keys").EnumerateArray()
        .Single(one => one.GetProperty("kid").GetString() == kid);
    var point = new ECPoint { X = Decode(key.GetProperty("x").GetString()!), Y = Decode(key.GetProperty("y").GetString()!) };
    using var ecdsa = ECDsa.Create(new ECParameters { Curve = ECCurve.NamedCurves.nistP256, Q = point });
    if (!ecdsa.VerifyData(Encoding.UTF8.GetBytes($"{parts[0]}.{parts[1]}"), Decode(parts[2]), HashAlgorithmName.SHA256))
        throw new CryptographicException("Not signed by this service.");
    return JsonDocument.Parse(Decode(parts[1])).RootElement.GetProperty("receiptId").GetString();
}

// Whether this service sent a delivery within the last minutes.
static bool IsGenuine(string? timestamp, string? signature, byte[] body)
{
    if (!long.TryParse(timestamp, out var seconds)) return false;
    byte[] signed = [.. Encoding.UTF8.GetBytes($"{timestamp}."), .. body];
    var expected = Convert.ToHexString(HMACSHA256.HashData(Encoding.UTF8.GetBytes(Variable("WEBHOOK_SECRET")), signed)).ToLowerInvariant();
    return CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(expected), Encoding.UTF8.GetBytes(signature ?? ""))
        && Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - seconds) < 300;
}

async Task Receive(int port)
{
    var listener = new HttpListener { Prefixes = { $"http://localhost:{port}/" } };
    listener.Start();
    while (true) _ = Answer(await listener.GetContextAsync());
}

async Task Answer(HttpListenerContext context)
{
    using var body = new MemoryStream();
    await context.Request.InputStream.CopyToAsync(body);
    var headers = context.Request.Headers;
    var isGenuine = IsGenuine(headers["x-service-timestamp"], headers["x-service-signature"], body.ToArray());
    context.Response.StatusCode = isGenuine ? 204 : 401;
    context.Response.Close();
    // Keep the event first, then work on it; drop an eventId that is known.
    if (isGenuine) Console.WriteLine(JsonDocument.Parse(body.ToArray()).RootElement.GetProperty("webhookType"));
}
