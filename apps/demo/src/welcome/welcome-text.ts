/** Where the shop is, and the tokens to try it with. */
export interface Invitation {
  /** `http://localhost:<port>`. */
  readonly http: string;
  /** `localhost:<port>`. */
  readonly grpc: string;
  /** Of the second process. */
  readonly payments: string;
  readonly plain: string;
  readonly admin: string;
  /** `user:password` of the host page; a password that the operator chose is not shown. */
  readonly office: string;
}

/** Ready-made lines for a shell: one policy, three callers, over REST and gRPC. They work at any later start too. */
export function welcomeText({ http, grpc, payments, plain, admin, office }: Invitation): string {
  const cancel = `curl -i -X POST ${http}/v1/orders/1001:cancel -H 'content-type: application/json' -d '{}'`;
  const ask = (what: string) =>
    `curl -i -X POST ${http}/mcp -H 'content-type: application/json' -H 'accept: application/json' \\
    -d '{"jsonrpc": "2.0", "id": 1, ${what}}'`;
  const listTools = ask('"method": "tools/list"');
  const cancelTool = ask(
    '"method": "tools/call", "params": {"name": "Orders_Cancel", "arguments": {"name": "orders/1001"}}',
  );
  const call = 'npm run --silent demo:call --';
  const grpcCancel = `-d '{"name": "orders/1001"}' ${grpc} shop.v1.Orders/Cancel`;
  return `
The shop is open.

  REST  ${http}
  gRPC  ${grpc}   (with reflection)
  docs  ${http}/docs
  tools ${http}/mcp   (for agents, by the Model Context Protocol)
  payments ${payments}   (gRPC, a process of its own; only the shop may call it)
  host  ${http.replace('://', `://${office}@`)}/host
        OFFICE_PASSWORD sets its password; without it one is made and kept
        ${http}/readyz, /healthz and /metrics need no password

Tokens of two callers, valid for 30 days and after a restart too; ada is a customer, grace an admin:

  ADA=${plain}
  GRACE=${admin}

Paste them into another terminal, in this folder. Anyone may read products (200):
  curl -i ${http}/v1/products

To cancel an order, a caller needs the role admin and the permission orders:write:
  nobody (401):  ${cancel}
  ada (403):     ${cancel} -H "authorization: Bearer $ADA"
  grace (200):   ${cancel} -H "authorization: Bearer $GRACE"

The same over gRPC; the client reads the descriptors from the server, as grpcurl does:
  nobody (UNAUTHENTICATED):  ${call} ${grpcCancel}
  ada (PERMISSION_DENIED):   ${call} -H "authorization: Bearer $ADA" ${grpcCancel}
  grace (OK):                ${call} -H "authorization: Bearer $GRACE" ${grpcCancel}
  all methods:               ${call} ${grpc} list

An agent gets these methods as tools, and sees those that its token may call; to ada a call is refused (200):
  ${listTools} -H "authorization: Bearer $ADA"
  ${listTools} -H "authorization: Bearer $GRACE"
  ${cancelTool} -H "authorization: Bearer $ADA"
With the official inspector, on Node 22.19 or later:
  npx @modelcontextprotocol/inspector --cli ${http}/mcp --method tools/list --header "authorization: Bearer $ADA"

Any caller with a token may order (200):
  curl -i -X POST ${http}/v1/orders -H "authorization: Bearer $ADA" -H 'content-type: application/json' \\
    -d '{"lines": [{"product": "products/tea", "quantity": 2}], "address": "1 Mill Lane, Bath"}'

Payments reserve the money: both processes log the same RequestId. An order that is sent again with the same key is
the same order (200):
  curl -i -X POST "${http}/v1/orders?idempotencyKey=tea-for-two" -H "authorization: Bearer $ADA" \\
    -H 'content-type: application/json' -d '{"lines": [{"product": "products/tea", "quantity": 2}], "pickupPoint": "BA0017"}'

A hand-written controller has a policy too (200 for grace):
  curl -i ${http}/reports/sales -H "authorization: Bearer $GRACE"

Crash the outbox: the host restarts it (202 for grace; watch the host page):
  curl -i -X POST ${http}/outbox/crash -H "authorization: Bearer $GRACE"

Kill payments: orders wait until they are back (202 for grace):
  curl -i -X POST ${http}/payments/crash -H "authorization: Bearer $GRACE"

\`npm run demo:tour\` does all of this and more by itself. Ctrl-C stops it, in order.
`;
}
