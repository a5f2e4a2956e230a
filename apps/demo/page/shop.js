// The page of the shop. It calls the RPCs as any client does: by the descriptors, without generated code.
import { createFileRegistry, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { createConnectTransport, createGrpcWebTransport } from '@connectrpc/connect-web';

const byId = (id) => document.querySelector(`#${id}`);

const answer = await fetch('/shop/shop.binpb');
const set = fromBinary(FileDescriptorSetSchema, new Uint8Array(await answer.arrayBuffer()));
const registry = createFileRegistry(set);
const transports = { connect: createConnectTransport, 'grpc-web': createGrpcWebTransport };

/** Sends the token of the caller with each call. */
const withToken = (next) => (request) => {
  const token = byId('token')
    .value.trim()
    .replace(/^Bearer +/i, '');
  if (token !== '') request.header.set('authorization', `Bearer ${token}`);
  return next(request);
};

function clientOf(service) {
  const transport = transports[byId('protocol').value]({
    baseUrl: location.origin,
    interceptors: [withToken],
  });
  return createClient(registry.getService(service), transport);
}

const catalog = () => clientOf('shop.v1.Catalog');
const orders = () => clientOf('shop.v1.Orders');

/** Denials in words. */
const DENIALS = new Map([
  [Code.Unauthenticated, 'denied, because the shop does not know who calls'],
  [Code.PermissionDenied, 'denied, because this caller may not'],
]);

function show(text, kind = '') {
  byId('outcome').textContent = text;
  byId('outcome').className = kind;
}

/** Runs what a button does, and shows how it ended: a denial is one that can be read. */
async function run(what, call) {
  try {
    show(`${what}: ${await call()}`);
  } catch (thrown) {
    const { code, rawMessage } = ConnectError.from(thrown);
    const denial = DENIALS.get(code);
    const status = `${Code[code]}: ${rawMessage}`;
    show(`${what}: ${denial ?? 'failed'} (${status})`, denial === undefined ? 'failed' : 'denied');
  }
}

function row(text, ...more) {
  const item = document.createElement('li');
  const words = document.createElement('span');
  words.textContent = text;
  item.append(words, ...more);
  return item;
}

function button(text, onClick) {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  made.addEventListener('click', onClick);
  return made;
}

const priceOf = (money) =>
  money === undefined
    ? ''
    : `${money.units}.${String(Math.round(money.nanos / 1e7)).padStart(2, '0')} ${money.currency}`;

const textOf = ({ name, customer, lines, total }) => {
  const goods = lines.map(({ product, quantity }) => `${quantity} × ${product.slice(9)}`);
  return `${name}, ${customer}: ${goods.join(', ')}, ${priceOf(total)}`;
};

function order(product) {
  return run(`Ordering ${product.title}`, async () => {
    const delivery = { case: 'address', value: '1 Mill Lane, Bath' };
    const lines = [{ product: product.name, quantity: 1 }];
    const { name } = await orders().create({ order: { lines, delivery } });
    return name;
  });
}

function showProducts() {
  return run('Products', async () => {
    const { products } = await catalog().list({});
    byId('products').replaceChildren(
      ...products.map((product) =>
        row(
          `${product.title}, ${priceOf(product.price)}`,
          button(`Order ${product.title}`, () => order(product)),
        ),
      ),
    );
    return `${products.length} for anybody`;
  });
}

function showOrders() {
  byId('orders').replaceChildren();
  return run('Orders', async () => {
    const found = await orders().list({});
    byId('orders').replaceChildren(...found.orders.map((each) => row(textOf(each))));
    return `${found.orders.length} that this caller may see`;
  });
}

let watching;

/** Begins to watch, or ends it. */
async function watch() {
  if (watching !== undefined) {
    watching.abort();
    return;
  }
  const ended = new AbortController();
  watching = ended;
  byId('watch').textContent = 'Stop';
  show('Watching: waiting for orders');
  await run('Watching', async () => {
    try {
      for await (const { order: each } of orders().watch({}, { signal: ended.signal })) {
        byId('feed').prepend(row(textOf(each)));
      }
    } catch (error) {
      if (!ended.signal.aborted) throw error;
    }
    return 'ended';
  });
  watching = undefined;
  byId('watch').textContent = 'Watch';
}

// What one caller may see is not shown to another.
byId('token').addEventListener('input', () => byId('orders').replaceChildren());
byId('caller').addEventListener('submit', (event) => event.preventDefault());
byId('list').addEventListener('click', showOrders);
byId('watch').addEventListener('click', watch);
await showProducts();
