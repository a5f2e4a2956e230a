import { describe, expect, it } from '@jest/globals';
import { GatewayConfigError } from '../errors.js';
import { transcodingRegistry } from '../fixtures/echo-server.fixture.js';
import { compileServices } from './compile-services.js';
import type { HttpRuleInit } from './extra-rules.js';

type Rule = Omit<HttpRuleInit, 'selector'>;

const { services } = transcodingRegistry();
const QUERY = 'transcoding.v1.EchoService.Query';
const UPDATE = 'transcoding.v1.EchoService.Update';

function mistakesOf(selector: string, rule: Rule): readonly string[] {
  try {
    compileServices(services, [{ selector, ...rule }]);
  } catch (error) {
    if (error instanceof GatewayConfigError) return error.mistakes;
    throw error;
  }
  return [];
}

describe('a rule that sets members of a oneof', () => {
  it.each<[string, string, Rule, string]>([
    [
      'two variables',
      QUERY,
      { get: '/a/{choice_str}/{choice_i32}' },
      'GET /a/{choice_str}/{choice_i32}: path variable "choice_i32" and path variable "choice_str" ' +
        'set two members of one oneof, of which one alone can be set',
    ],
    [
      'a variable of a message and one next to it',
      QUERY,
      { get: '/a/{choice_nested.str}/{choice_i32}' },
      'path variable "choice_i32" and path variable "choice_nested.str" set two members',
    ],
    [
      'variables of a message inside',
      UPDATE,
      { get: '/a/{item.choice_nested.nested.str}/{item.choice_value}' },
      'path variable "item.choice_value" and path variable "item.choice_nested.nested.str" set two',
    ],
    [
      'a variable and the body',
      QUERY,
      { post: '/a/{choice_str}', body: 'choice_nested' },
      'body "choice_nested" and path variable "choice_str" set two members of one oneof',
    ],
    [
      'a variable of a message and the body',
      QUERY,
      { post: '/a/{choice_nested.str}', body: 'choice_i32' },
      'body "choice_i32" and path variable "choice_nested.str" set two members of one oneof',
    ],
  ])('twice is refused: %s', (_what, selector, rule, mistake) => {
    expect(mistakesOf(selector, rule)).toEqual([expect.stringContaining(mistake)]);
    const additional = { get: '/b', additionalBindings: [rule] };
    expect(mistakesOf(selector, additional)).toEqual([expect.stringContaining(mistake)]);
  });

  it.each<[string, string, Rule]>([
    ['with one variable', QUERY, { get: '/a/{choice_str}/{str}' }],
    ['with a whole body', QUERY, { post: '/a/{choice_str}', body: '*' }],
    [
      'in several fields of one member',
      QUERY,
      { get: '/a/{choice_nested.str}/{choice_nested.i64}' },
    ],
    ['in a field of the body', QUERY, { post: '/a/{choice_nested.str}', body: 'choice_nested' }],
    ['of the body, which is a message', UPDATE, { post: '/a/{item.choice_str}', body: 'item' }],
    ['and an optional field', QUERY, { get: '/a/{choice_str}/{optional_i32}' }],
  ])('once is taken: %s', (_what, selector, rule) => {
    expect(mistakesOf(selector, rule)).toEqual([]);
  });
});
