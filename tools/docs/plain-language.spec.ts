import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { idiomsIn, idiomsOf } from './plain-language.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('pages, docstrings, comments and messages', () => {
  it('are written in plain English', () => {
    expect(idiomsOf(root)).toEqual([]);
  });
});

describe('the check of language', () => {
  it.each([
    ['"soon" is no duration', '1: "is no duration"; write "is not a …"'],
    ['Read\nanew', '2: "anew"; write "again"'],
    ['not served, for\nwant of a port', '1: "for want of"; write "because there is no …"'],
    ['Whoever calls', '1: "Whoever"; write "anyone who, code that, a caller that"'],
    ['a file beside it', '1: "beside"; write "next to, in addition to"'],
    ['Told of it', '1: "Told of"; write "called with, called for, reported"'],
    ['never heeds it', '1: "heeds"; write "observe, use"'],
    ['What is no hole is text', '1: "What is no hole is"; write "anything else is"'],
    ['/** Has the host run it. */', '1: "/** Has t"; write "Makes …, Registers …"'],
    ['do as it says', '1: "as it says"; write "do what the message says"'],
    ['a slash, say, is', '1: ", say"; write "for example"'],
    ['for Strangers', '1: "Strangers"; write "unknown callers, anyone"'],
    ['or the other way about', '1: "the other way about"; write "the reverse"'],
    ['Who knows it calls.', '1: "Who knows"; write "code that, if you"'],
    ['Default: nobody.', '1: "Default: nobody"; write "Default: none"'],
  ])('finds %j', (text, found) => {
    expect(idiomsIn(text)).toEqual([found]);
  });

  it.each([
    'there is no path',
    'as many bytes as it says that it has',
    'Who needs a token?',
    'dev-stranger',
    'nobody else',
    'besides',
    'a recommendation',
    'is no longer',
    './heed-listeners.js',
  ])('leaves %j alone', (text) => {
    expect(idiomsIn(text)).toEqual([]);
  });
});
