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
