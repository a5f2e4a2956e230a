import { oneOf, tcp } from '../knock.js';
import type { Attack } from '../row.js';

/** What is no message of Nest's TCP transport. */
const PACKETS = [
  'nonsense#{}',
  '-1#{}',
  '99999999999999999999#{}',
  '2#{]',
  `2#[]`,
  '4#null',
  '15#{"pattern":{}}}',
  `20#{"pattern":"vault"}`,
  `${'1'.repeat(10_000)}#`,
];

/** Each is answered with an error, or ends its connection. */
export const badPackets: Attack = async (site) => {
  const results: string[] = [];
  for (const packet of PACKETS) {
    const answer = await Promise.race([
      tcp(site.messagesPort, packet),
      new Promise<string>((resolve) => setTimeout(() => resolve('no answer'), 500)),
    ]);
    const isWell = answer === 'closed' || answer === 'no answer' || answer.includes('"err"');
    results.push(isWell ? 'refused' : answer);
  }
  return oneOf(results);
};
