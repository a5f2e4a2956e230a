import type { DescService } from '@bufbuild/protobuf';
import { Mistakes } from '@apix/contracts';
import { ProtoRegistry } from '@apix/proto/core';
import { describeBinding } from '../../libs/gateway/src/rules/binding.js';
import { readServices } from '../../libs/gateway/src/rules/compile-services.js';
import { EXCEPTIONS } from './exceptions.js';
import { rulesOf } from './rule.js';
import { samplePath } from './sample-path.js';

/** What google-proto-files 5.0.3 has: another number means that not all of them were read. */
const RULES = 15_381;

const registry = ProtoRegistry.load(process.env['GOOGLE_SET']!);
const packages = new Map<string, DescService[]>();
for (const service of registry.services) {
  const { package: name } = service.file.proto;
  packages.set(name, [...(packages.get(name) ?? []), service]);
}
/** Rules that do not lead to themselves, and what the gateway says about each. */
const failures = new Map<string, readonly string[]>();
const wrong: string[] = [];
let count = 0;
let excepted = 0;
for (const services of packages.values()) route(services);
for (const { reason, mistake, rules } of EXCEPTIONS) {
  for (const [method, list] of Object.entries(rules)) {
    for (const rule of list) except(`${method} (${rule})`, reason, mistake);
  }
}
for (const [rule, said] of failures) {
  wrong.push(`${rule} does not lead to itself: ${said.join('; ')}`);
}
if (count !== RULES) wrong.push(`${count} rules were read, must be ${RULES}`);

for (const text of wrong) console.log(`FAILED ${text}`);
console.log(
  `${count} google.api.http rules: all but ${excepted} lead to themselves, ` +
    `${wrong.length} not as they must be`,
);
if (wrong.length > 0) process.exitCode = 1;

/** The services of a package share a host, and so a route table. */
function route(services: readonly DescService[]): void {
  const rules = services.flatMap(rulesOf);
  if (rules.length === 0) return;
  count += rules.length;
  const mistakes = new Mistakes();
  const { table } = readServices(services, {}, mistakes);
  const unclaimed = new Set(mistakes.found);
  for (const { method, httpMethod, path } of rules) {
    const rule = `${method} (${httpMethod} ${path})`;
    const match = table.match(httpMethod, samplePath(path));
    if (match?.kind === 'route' && describeBinding(match.route) === rule) continue;
    const starts = [`${rule} and `, `${method.replace('/', '.')}: ${httpMethod} ${path}: `];
    const said = mistakes.found.filter((text) => starts.some((start) => text.startsWith(start)));
    for (const text of said) unclaimed.delete(text);
    const where = match?.kind === 'route' ? describeBinding(match.route) : 'nothing';
    failures.set(rule, [...said, `it leads to ${where}`]);
  }
  wrong.push(...unclaimed);
}

function except(rule: string, reason: string, mistake: string): void {
  const said = failures.get(rule);
  failures.delete(rule);
  if (said === undefined) wrong.push(`${rule} leads to itself, but is an exception: ${reason}`);
  else if (said.some((text) => text.includes(mistake))) excepted++;
  else wrong.push(`${rule} is not an exception for this: ${said.join('; ')}`);
}
