/** Where the shop is, for callers on this machine. */
export interface ShopAddress {
  /** `http://localhost:<port>`. */
  readonly http: string;
  /** `localhost:<port>`. */
  readonly grpc: string;
}

/** A command for a shell, in which `$ADA` and `$GRACE` are the tokens of two callers. */
export interface ExampleLine {
  /** Who calls, or what is asked. */
  readonly who: string;
  /** How it ends: a status of HTTP, or the name of one of gRPC; empty: it ends well. */
  readonly status: string;
  readonly command: string;
}

export interface Example {
  readonly title: string;
  readonly lines: readonly ExampleLine[];
}

const AS_ADA = '-H "authorization: Bearer $ADA"';
const AS_GRACE = '-H "authorization: Bearer $GRACE"';
const JSON_BODY = "-H 'content-type: application/json'";

/** How the reason of a denied call is found, and where its policy is. */
export const WHY_DENIED =
  'Why is it 403? The answer does not say it, but its line in the log does, as denied= and requires=. The tab Policies of ' +
  'the host page shows who may call what. The policy is in proto/shop/v1/orders.proto, at rpc Cancel; npm run generate ' +
  'compiles a change.';

/** One policy and three callers, by REST and by gRPC. */
export function threeCallers({ http, grpc }: ShopAddress): readonly Example[] {
  const cancel = `curl -i -X POST ${http}/v1/orders/1001:cancel ${JSON_BODY} -d '{}'`;
  const call = 'npm run --silent demo:call --';
  const onOrder = `-d '{"name": "orders/1001"}' ${grpc} shop.v1.Orders/Cancel`;
  return [
    {
      title: 'To cancel an order, a caller needs the role admin and the permission orders:write',
      lines: [
        { who: 'nobody', status: '401', command: cancel },
        { who: 'ada', status: '403', command: `${cancel} ${AS_ADA}` },
        { who: 'grace', status: '200', command: `${cancel} ${AS_GRACE}` },
      ],
    },
    {
      title: 'The same by gRPC; the client reads the descriptors from the server, as grpcurl does',
      lines: [
        { who: 'nobody', status: 'UNAUTHENTICATED', command: `${call} ${onOrder}` },
        { who: 'ada', status: 'PERMISSION_DENIED', command: `${call} ${AS_ADA} ${onOrder}` },
        { who: 'grace', status: 'OK', command: `${call} ${AS_GRACE} ${onOrder}` },
      ],
    },
  ];
}

/** What else can be tried. */
export function moreExamples({ http, grpc }: ShopAddress): readonly Example[] {
  const order = `curl -i -X POST ${http}/v1/orders`;
  const tool = `curl -i -X POST ${http}/mcp ${JSON_BODY} -H 'accept: application/json'`;
  const list = `${tool} -d '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}'`;
  const cancel = `"name": "Orders_Cancel", "arguments": {"name": "orders/1001"}`;
  const body = (delivery: string): string =>
    `-d '{"lines": [{"product": "products/tea", "quantity": 2}], ${delivery}}'`;
  return [
    {
      title: 'Read and order',
      lines: [
        {
          who: 'Anyone may read the products',
          status: '200',
          command: `curl -i ${http}/v1/products`,
        },
        {
          who: 'ada orders; both processes log the same RequestId',
          status: '200',
          command: `${order} ${AS_ADA} ${JSON_BODY} ${body('"address": "1 Mill Lane, Bath"')}`,
        },
        {
          who: 'An order that is sent again with the same key is the same order',
          status: '200',
          command: `${order.replace('-X POST ', '-X POST "')}?idempotencyKey=tea-for-two" ${AS_ADA} ${JSON_BODY} ${body('"pickupPoint": "BA0017"')}`,
        },
        {
          who: 'A hand-written controller has a policy too',
          status: '200',
          command: `curl -i ${http}/reports/sales ${AS_GRACE}`,
        },
        {
          who: 'All methods of the gRPC server',
          status: '',
          command: `npm run --silent demo:call -- ${grpc} list`,
        },
      ],
    },
    {
      title: 'An agent gets the methods as tools, and sees those that its token may call',
      lines: [
        { who: 'ada', status: '200', command: `${list} ${AS_ADA}` },
        { who: 'grace', status: '200', command: `${list} ${AS_GRACE}` },
        {
          who: 'ada may not cancel, which the answer says',
          status: '200',
          command: `${tool} -d '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {${cancel}}}' ${AS_ADA}`,
        },
      ],
    },
    {
      title: 'Break it, and watch the page of the host',
      lines: [
        {
          who: 'The outbox crashes, and the host restarts it',
          status: '202',
          command: `curl -i -X POST ${http}/outbox/crash ${AS_GRACE}`,
        },
        {
          who: 'Payments are killed, and orders wait until they are back',
          status: '202',
          command: `curl -i -X POST ${http}/payments/crash ${AS_GRACE}`,
        },
      ],
    },
  ];
}
