import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { loadSettings } from './load-settings.js';
import type { GatewaySetting } from './setting.js';
import { SETTINGS, type SettingName } from './setting-table.js';

const folder = mkdtempSync(join(tmpdir(), 'apix-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Sample values for the settings that check the format of their value. */
const TEXTS: Partial<Record<SettingName, string>> = {
  backend: 'shop:50051',
  listen: '127.0.0.1:8443',
  'admin-listen': '9000',
  docs: '/pages',
  openapi: '/api.json',
  metrics: '/figures',
  'cors-origin': 'https://shop.example',
  audience: 'https://shop.example/tools',
  mcp: '/tools',
  'mcp-resource': 'https://shop.example/tools',
};

/** All settings, which are given together because some of them need others. */
const given = Object.entries(SETTINGS) as [SettingName, GatewaySetting][];

function sampleOf(name: SettingName, setting: GatewaySetting) {
  const text = TEXTS[name] ?? 'word';
  switch (setting.kind) {
    case 'text':
    case 'path':
      return { args: [`--${name}`, text], yaml: text, value: text };
    case 'texts':
      return {
        args: [`--${name}`, text, `--${name}`, text],
        yaml: [text, text],
        value: [text, text],
      };
    case 'flag':
      return { args: [`--${name}`], yaml: true, value: true };
    case 'count':
      return { args: [`--${name}`, '7'], yaml: 7, value: 7 };
    case 'duration':
      return { args: [`--${name}`, '1m30s'], yaml: '1m30s', value: '1m30s' };
    case 'choices':
      // All of them cannot go with all other settings.
      return {
        args: [`--${name}`, setting.choices[0]],
        yaml: [setting.choices[0]],
        value: [setting.choices[0]],
      };
    case 'choice':
      return {
        args: [`--${name}`, setting.choices[1]!],
        yaml: setting.choices[1],
        value: setting.choices[1],
      };
  }
}

const samples = given.map(([name, setting]) => [name, sampleOf(name, setting)] as const);
const expected = Object.fromEntries(samples.map(([name, { value }]) => [name, value]));

describe('every setting', () => {
  it('is taken from the command line', () => {
    const { settings } = loadSettings(samples.flatMap(([, { args }]) => args));
    expect(settings).toEqual(expected);
  });

  it('is taken from a file of the same names', () => {
    const file = join(folder, 'gateway.yaml');
    const document = Object.fromEntries(samples.map(([name, { yaml }]) => [name, yaml]));
    writeFileSync(file, JSON.stringify(document));
    expect(loadSettings(['-c', file]).settings).toEqual(expected);
  });

  it.each(given)(
    '%s says what is wrong with another kind of value, and where',
    (name, { kind }) => {
      const file = join(folder, 'wrong.yaml');
      const wrong = kind === 'texts' ? [{}] : {};
      writeFileSync(file, JSON.stringify({ backend: 'shop:50051', [name]: wrong }));
      expect(() => loadSettings(['-c', file])).toThrow(`wrong.yaml: ${name}: `);
    },
  );

  it.each(given.filter(([, { kind }]) => !['flag', 'path'].includes(kind)))(
    '%s needs a value',
    (name) => {
      expect(() => loadSettings([`--${name}`, '--http2'])).toThrow(`--${name}: needs a value`);
    },
  );

  it.each(given)(
    '%s has a help of one line, with its default or what it does',
    (_name, setting) => {
      expect(setting.help).toMatch(/^[a-zA-Z].{8,110}[^.]$/);
    },
  );
});
