import { describe, expect, it } from '@jest/globals';
import type { ExecutionContext } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import type { Admission } from '../decide/admission.js';
import { leaveSocketAdmission, socketAdmission } from './admissions.js';

class ChatGateway {
  say(): void {}
  leave(): void {}
}

/** Has its own policy for what it inherits. */
class StaffGateway extends ChatGateway {}

const client = {};

/** What Nest hands to a guard, and later to the parameters of the handler, of one message. */
function messageWith(
  args: readonly unknown[],
  handler: () => void = Reflect.get(ChatGateway.prototype, 'say'),
  gateway = ChatGateway,
): ExecutionContext {
  const context = new ExecutionContextHost([client, ...args], gateway, handler);
  context.setType('ws');
  return context;
}

const admissionOf = (id: string): Admission => ({
  subject: { id, roles: [], permissions: [] },
});

describe('two messages of one connection that are under way together', () => {
  it.each<[string, unknown[], unknown[]]>([
    ['are known by what they say', [{ text: 'a' }], [{ text: 'b' }]],
    ['of texts are known by how they are acknowledged', ['a', () => {}], ['b', () => {}]],
    ['of the same text too', ['a', () => {}], ['a', () => {}]],
    ['that say nothing too', [undefined, () => {}], [undefined, () => {}]],
  ])('%s', (_what, first, second) => {
    leaveSocketAdmission(messageWith(first), admissionOf('ada'));
    leaveSocketAdmission(messageWith(second), admissionOf('bob'));
    expect(socketAdmission(messageWith(first))).toEqual(admissionOf('ada'));
    expect(socketAdmission(messageWith(second))).toEqual(admissionOf('bob'));
  });

  it('of one handler are not admitted to another', () => {
    const args = [{ text: 'a' }];
    leaveSocketAdmission(messageWith(args), admissionOf('ada'));
    const other = messageWith(args, Reflect.get(ChatGateway.prototype, 'leave'));
    expect(socketAdmission(other)).toBeUndefined();
  });

  it('of one gateway are not admitted to one that inherits the handler', () => {
    const args = [{ text: 'a' }];
    leaveSocketAdmission(messageWith(args), admissionOf('ada'));
    const inherited = messageWith(args, undefined, StaffGateway);
    expect(socketAdmission(inherited)).toBeUndefined();
    leaveSocketAdmission(inherited, admissionOf('bob'));
    expect(socketAdmission(inherited)).toEqual(admissionOf('bob'));
    expect(socketAdmission(messageWith(args))).toEqual(admissionOf('ada'));
  });
});

it.each([undefined, null, 'a client'])('a client such as %p has no admissions', (odd) => {
  const context = new ExecutionContextHost([odd, 'a'], ChatGateway, () => {});
  leaveSocketAdmission(context, admissionOf('ada'));
  expect(socketAdmission(context)).toBeUndefined();
});
