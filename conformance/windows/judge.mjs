/** What is wrong with what was seen, in words; empty when nothing is. */
export function judge(seen, told) {
  const problems = [];
  const want = (isRight, text) => {
    if (!isRight) problems.push(text);
  };
  const [, stop = '', crash = ''] = seen.split(/^# .*$/m);
  const checkpoints = (part, state) =>
    [...part.matchAll(new RegExp(`^${state} checkpoint=(\\d+)`, 'gm'))].map(([, n]) => Number(n));
  for (const [name, part] of [
    ['stop', stop],
    ['crash', crash],
  ]) {
    for (const state of ['START_PENDING', 'STOP_PENDING']) {
      const numbers = checkpoints(part, state).filter((n) => n > 0);
      const grow = numbers.every((n, at) => at === 0 || n > numbers[at - 1]);
      want(numbers.length >= 2 && grow, `${name}: ${state} has checkpoints ${numbers.join(', ')}`);
    }
    const states = [...part.matchAll(/^([A-Z_]+) checkpoint/gm)].map(([, state]) => state);
    const order = states.filter((state, at) => state !== states[at - 1]).join(' ');
    want(
      /^(STOPPED )?START_PENDING RUNNING STOP_PENDING STOPPED$/.test(order),
      `${name}: the states were ${order}`,
    );
    want(/^RUNNING .*accepts=13/m.test(part), `${name}: stop, shutdown and paramchange accepted`);
  }
  want(/STOPPED .*exit=0\/0\s*$/.test(stop), 'a stop ends with exit code 0');
  want(/STOPPED .*exit=1066\/1\s/.test(crash), 'a crash ends with a specific exit code');
  want(/waitHint=20000/.test(stop), 'the wait hint of a stop is the shutdown timeout');
  want(/^uninstalled\s+done$/m.test(seen), 'the service is uninstalled, and then unknown');
  want(
    told.replaceAll('\r', '').trim() ===
      'started\nreloaded\nstopping\nstopped\nclean end\n' +
        'started\nreloaded\nreloaded\nstopping\nstopped\n' +
        'failed: hostx: service work: crashed as asked',
    'the hooks ran in order',
  );
  return problems;
}

/** The same of the demo. */
export function judgeShop(seen) {
  const problems = [];
  const parts = new Map();
  for (const part of seen.split(/^# /m).slice(1)) {
    const [title, ...lines] = part.split(/\r?\n/);
    parts.set(title, lines.join('\n'));
  }
  for (const [title, order, end] of SHOP_PARTS) {
    const part = parts.get(title) ?? '';
    const states = [...part.matchAll(/^([A-Z_]+) checkpoint/gm)].map(([, state]) => state);
    const found = states.filter((state, at) => state !== states[at - 1]).join(' ');
    if (!order.test(found)) problems.push(`shop, ${title}: the states were ${found}`);
    if (!end.test(part)) problems.push(`shop, ${title}: it did not end as it should`);
  }
  for (const [what, pattern] of SHOP_SIGHTS) {
    if (!pattern.test(seen)) problems.push(`shop: not seen that ${what}`);
  }
  return problems;
}

const WHOLE = /^(STOPPED )?START_PENDING RUNNING STOP_PENDING STOPPED$/;
const CLEAN = /^STOPPED .*exit=0\/0$/m;
const SHOP_PARTS = [
  ['start, reload, stop', WHOLE, CLEAN],
  ['start, crash', WHOLE, /exit=1066\/1$/m],
  ['a second shop', /^(STOPPED )?START_PENDING (STOP_PENDING )?STOPPED$/, /exit=1066\/1$/m],
  ['start, stop', WHOLE, CLEAN],
];
const SHOP_SIGHTS = [
  ['it answers', /"\/v1\/products","Status":200/],
  ['a reload changes the level', /at level error a request writes nothing\s+Reloaded in/],
  ['the wait hint of a stop is the shutdown timeout', /^STOP_PENDING .*waitHint=30000/m],
  ['it is uninstalled at the end', /^uninstalled\s+done$/m],
];
