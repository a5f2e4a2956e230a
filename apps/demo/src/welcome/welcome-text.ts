/** Where the shop is, and with which tokens to knock. */
export interface Invitation {
  readonly http: string;
  readonly grpc: string;
  /** The second process. */
  readonly payments: string;
  readonly plain: string;
  readonly admin: string;
  /** `user:password` of the host page; a password that the operator chose is not shown. */
  readonly office: string;
}

/** Ready-made lines for a shell: the same door, three callers. */
export function welcomeText({ http, grpc, payments, plain, admin, office }: Invitation): string {
  const cancel = `curl -i -X POST ${http}/v1/orders/1001:cancel -H 'content-type: application/json' -d '{}'`;
  return `
The shop is open.

  REST  ${http}
  gRPC  ${grpc}   (with reflection)
  docs  ${http}/docs
  payments ${payments}   (gRPC, a process of its own, which only the shop may call)
  host  ${http.replace('://', `://${office}@`)}/host
        OFFICE_PASSWORD sets its password; where that is empty, each start makes one
        ${http}/readyz, /healthz and /metrics need no password

Tokens of two callers; ada is a customer, grace an admin:

  ADA=${plain}
  GRACE=${admin}

Anybody may look at products (200):
  curl -i ${http}/v1/products

Cancelling an order asks for the role admin and the permission orders:write.
  nobody (401):  ${cancel}
  ada (403):     ${cancel} -H "authorization: Bearer $ADA"
  grace (200):   ${cancel} -H "authorization: Bearer $GRACE"

Any caller with a token may order (200):
  curl -i -X POST ${http}/v1/orders -H "authorization: Bearer $ADA" -H 'content-type: application/json' \\
    -d '{"lines": [{"product": "products/tea", "quantity": 2}], "address": "1 Mill Lane, Bath"}'

The shop has it paid by payments: both log the same RequestId. An order that is sent again with the same key is the same order:
  curl -i -X POST "${http}/v1/orders?idempotencyKey=tea-for-two" -H "authorization: Bearer $ADA" \\
    -H 'content-type: application/json' -d '{"lines": [{"product": "products/tea", "quantity": 2}], "pickupPoint": "BA0017"}'

A hand-written endpoint is guarded alike (200 for grace):
  curl -i ${http}/reports/sales -H "authorization: Bearer $GRACE"

The outbox crashes and is started again (202 for grace; look at the host page):
  curl -i -X POST ${http}/outbox/crash -H "authorization: Bearer $GRACE"

Payments are killed, and orders wait for them to be back (202 for grace):
  curl -i -X POST ${http}/payments/crash -H "authorization: Bearer $GRACE"

\`npm run demo:tour\` does all of this and more by itself. Ctrl-C stops it, in order.
`;
}
