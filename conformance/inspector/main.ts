import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ShopProcess } from '../../apps/demo/tour/shop-process.js';
import { freePort } from '../../tools/testing/free-port.js';
import { type Caller, Issuer } from './issuer.js';
import { recipeFiles } from './recipe.js';

const { MCP_NODE: node = '', MCP_INSPECTOR: inspector = '' } = process.env;

/** How the inspector names the revisions: with sessions, and 2026-07-28. */
const ERAS = ['legacy', 'modern'] as const;
type Era = (typeof ERAS)[number];

const EVERYONE = ['Catalog_List', 'Catalog_Get'];
const STAFF = [...EVERYONE, 'Orders_Get', 'Orders_List', 'Orders_Create'];
const PHONE = '+44 1225 460000';
const order = {
  lines: [{ product: 'products/tea', quantity: 1 }],
  address: '1 Mill Lane, Bath',
  phone: PHONE,
};
const customer: Caller = { id: 'ada', roles: ['customer'] };
const staff: Caller = { id: 'sam', roles: ['staff'] };
/** May change orders and not see phone numbers. */
const clerk: Caller = {
  id: 'carl',
  roles: ['customer'],
  permissions: ['orders:read', 'orders:write'],
};

interface Said {
  readonly exit: number;
  readonly json: {
    readonly result?: {
      readonly tools?: readonly { readonly name: string }[];
      readonly content?: readonly { readonly text: string }[];
      readonly structuredContent?: Readonly<Record<string, unknown>>;
      readonly isError?: boolean;
    };
    readonly error?: { readonly code?: string; readonly message?: string };
  };
  readonly text: string;
}

const home = await mkdtemp(join(tmpdir(), 'apix-inspector-'));
const issuer = await Issuer.start();
const port = await freePort();
const url = `http://localhost:${port}/mcp`;
let failures = 0;

function check(what: string, actual: unknown, wanted: unknown): void {
  const isRight = isDeepStrictEqual(actual, wanted);
  if (!isRight) failures++;
  const shown = isRight ? '' : `: ${JSON.stringify(actual)}, not ${JSON.stringify(wanted)}`;
  console.log(`${isRight ? 'ok      ' : 'FAILED  '}${what}${shown}`);
}

/** Runs the inspector once, as a caller. */
async function inspect(era: Era, caller: Caller | undefined, ...args: string[]): Promise<Said> {
  const token = caller && (await issuer.token(caller, url));
  const header = token === undefined ? [] : ['--header', `authorization: Bearer ${token}`];
  return command(url, '--protocol-era', era, ...header, ...args);
}

function command(...args: readonly string[]): Promise<Said> {
  const all = [inspector, '--cli', ...args, '--stored-auth-only', '--format', 'json', '--quiet'];
  const env = { ...process.env, HOME: home, NODE_OPTIONS: '' };
  return new Promise((resolve, reject) => {
    // What `npx` starts is installed here.
    const options = { env, cwd: join(process.cwd(), 'conformance/inspector') };
    const child = execFile(node, all, options, (_, stdout, stderr) => {
      const text = stdout + stderr;
      try {
        const json = JSON.parse(stdout.trim() === '' ? stderr : stdout) as Said['json'];
        resolve({ exit: child.exitCode ?? -1, json, text });
      } catch (cause) {
        reject(new Error(`the inspector said: ${text}`, { cause }));
      }
    });
  });
}

async function namesFor(era: Era, caller?: Caller): Promise<readonly string[]> {
  const { json } = await inspect(era, caller, '--method', 'tools/list');
  return (json.result?.tools ?? []).map(({ name }) => name);
}

function callAs(era: Era, caller: Caller | undefined, tool: string, args: object): Promise<Said> {
  const call = ['--method', 'tools/call', '--tool-name', tool];
  return inspect(era, caller, ...call, '--tool-args-json', JSON.stringify(args));
}

async function askTheShop(era: Era): Promise<void> {
  const says = (what: string): string => `${era}: ${what}`;
  check(says('an anonymous caller sees'), await namesFor(era), EVERYONE);
  const ofCustomer = [...EVERYONE, 'Orders_List', 'Orders_Create'];
  check(says('a customer sees'), await namesFor(era, customer), ofCustomer);
  const ofStaff = [...STAFF, 'Orders_Refund', 'Orders_Watch'];
  check(says('staff see'), await namesFor(era, staff), ofStaff);
  const ofClerk = [...ofCustomer, 'Orders_Update'];
  check(says('a clerk sees'), await namesFor(era, clerk), ofClerk);

  const tea = await callAs(era, undefined, 'Catalog_Get', { name: 'products/tea' });
  const rest = await fetch(`http://localhost:${port}/v1/products/tea`);
  check(
    says('a call gives what REST gives'),
    tea.json.result?.structuredContent,
    await rest.json(),
  );
  check(says('and the inspector ends well'), tea.exit, 0);

  const none = await callAs(era, staff, 'Orders_Get', { name: 'orders/none' });
  const [why] = none.json.result?.content ?? [];
  const wanted = [true, 'NOT_FOUND: there is no orders/none'];
  check(says('what there is not'), [none.json.result?.isError, why?.text], wanted);

  const change = { order: { name: 'orders/1001', phone: PHONE }, updateMask: 'phone' };
  const denied = await callAs(era, clerk, 'Orders_Update', change);
  const [text] = denied.json.result?.content ?? [];
  const decision = [denied.json.result?.isError, text?.text.split(':')[0]];
  check(says('a call that is denied'), decision, [true, 'PERMISSION_DENIED']);
  check(says('and the inspector ends as for an error'), denied.exit, 5);
  const unseen = await callAs(era, customer, 'Orders_Cancel', { name: 'orders/1001' });
  check(says('a tool that is not in the list'), unseen.json.error?.code, 'tool_not_found');

  for (const [caller, isShown] of [[customer, false] as const, [staff, true] as const]) {
    const tried = await callAs(era, caller, 'Orders_Create', { order, validateOnly: true });
    const answer = [tried.json.result?.isError ?? false, tried.text.includes(PHONE)];
    check(says(`the phone number is in the answer to ${caller.id}`), answer, [false, isShown]);
  }
}

/** The files of the recipe, as the clients that it is about read them. */
async function followTheRecipe(): Promise<void> {
  const token = await issuer.token(customer, url);
  const { vsCode, claudeDesktop } = recipeFiles({ url, token });
  const { shop } = vsCode.servers;
  const [header = []] = Object.entries(shop.headers);
  const list = ['--method', 'tools/list'];
  const wanted = [...EVERYONE, 'Orders_List', 'Orders_Create'];
  const names = ({ json }: Said) => (json.result?.tools ?? []).map(({ name }) => name);
  const direct = await command(shop.url, '--header', header.join(': '), ...list);
  check('the URL and header of the recipe list', names(direct), wanted);

  const file = join(home, 'claude_desktop_config.json');
  await writeFile(file, claudeDesktop);
  const bridge = ['--config', file, '--server', 'shop'];
  check('the bridge of the recipe lists', names(await command(...bridge, ...list)), wanted);
  const call = ['--method', 'tools/call', '--tool-name', 'Orders_List', '--tool-args-json', '{}'];
  const { json } = await command(...bridge, ...call);
  const { totalSize } = json.result?.structuredContent ?? {};
  check('and calls, as its caller', totalSize, '1');
}

try {
  const settings = { ...issuer.settings(url), PORT: String(port) };
  const shop = await ShopProcess.start(process.cwd(), { settings });
  try {
    for (const era of ERAS) await askTheShop(era);
    await followTheRecipe();
  } finally {
    await shop.stop();
    await shop.remove();
  }
} finally {
  issuer.close();
  await rm(home, { recursive: true });
}
console.log(failures === 0 ? 'passed' : `${failures} failed`);
process.exitCode = failures === 0 ? 0 : 1;
