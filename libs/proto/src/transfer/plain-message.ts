import type { DescMessage } from '@bufbuild/protobuf';
import { type IsPlain, plainMember } from './plain-field.js';
import { MAX_DEPTH } from './walk.js';

interface Member {
  readonly name: string;
  readonly isPlain: IsPlain;
}

const checks = new WeakMap<DescMessage, IsPlain>();

/**
 * Whether the JSON of a message is the same before and after a way over the wire, if it has a JSON form at
 * all. False if only the wire format can show it: for unknown fields, an Any, more than 30 levels, and
 * values that are not exactly of their type. May throw for those.
 */
export function plainMessageOf(desc: DescMessage): IsPlain {
  let check = checks.get(desc);
  if (check === undefined) {
    check = compile(desc);
    checks.set(desc, check);
  }
  return check;
}

function compile(desc: DescMessage): IsPlain {
  // Its content is bytes, and it is not known what the JSON would leave out of them.
  if (desc.typeName === 'google.protobuf.Any') return () => false;
  const members: Member[] = desc.members.flatMap((member) => {
    const isPlain = plainMember(member, plainMessageOf);
    return isPlain === undefined ? [] : [{ name: member.localName, isPlain }];
  });
  return (value, depth) => {
    if (depth > MAX_DEPTH) return false;
    const message = value as Readonly<Record<string, unknown>>;
    if (message['$unknown'] !== undefined) return false;
    for (let i = 0; i < members.length; i++) {
      const { name, isPlain } = members[i]!;
      const given = message[name];
      if (given !== undefined && !isPlain(given, depth)) return false;
    }
    return true;
  };
}
