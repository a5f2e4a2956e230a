import { describe, expect, it } from '@jest/globals';
import { event, view } from '../../page.fixture.js';
import { matching } from '../../cells.js';
import type { Row } from '../../rows.js';
import { checkRows, eventRows, figureRows, marksOf, serviceRows } from './overview-rows.js';

const texts = (rows: readonly Row[]): string[][] =>
  rows.map(({ cells }) => cells.map(({ text }) => text));
const looks = (rows: readonly Row[], column: number): (string | undefined)[] =>
  rows.map(({ cells }) => cells[column]!.look);

const bare = { since: 60_000, restarts: 0, askedRestarts: 0, canRestart: true };

describe('the tables', () => {
  it('are filtered by the text of any cell, in small letters or large', () => {
    const rows = eventRows(view({ events: [event(1, { text: 'Ready' }), event(2)] }), false);
    expect(matching(rows, ' rEAdy ').map(({ key }) => key)).toEqual(['1']);
    expect(matching(rows, '')).toHaveLength(2);
  });

  it('give the plots what is marked', () => {
    const events = [event(1), event(2, { at: 5, mark: 'restart', text: 'restart 1' })];
    expect(marksOf(view({ events }))).toEqual([
      { at: 5, look: 'restart', text: 'host: restart 1' },
    ]);
  });

  it('show how long a service has been in its state', () => {
    const rows = serviceRows(
      {
        services: [
          { ...bare, name: 'a', state: 'ready', since: 0, restarts: 1_200, askedRestarts: 2 },
          { ...bare, name: 'b', state: 'backoff', restarts: 1, lastError: 'boom' },
          { ...bare, name: 'c', state: 'completed' },
        ],
      },
      65_000,
      false,
    );
    expect(texts(rows)).toEqual([
      ['a', 'ready', '1m 5s', '1,200 + 2 asked for', ''],
      ['b', 'backoff', '5s', '1', 'boom'],
      ['c', 'completed', '5s', '0', ''],
    ]);
    expect(looks(rows, 1)).toEqual(['good', 'bad', 'good']);
  });

  it('have a button for each service that can be restarted, for those who may', () => {
    const services = [
      { ...bare, name: 'a', state: 'ready' },
      { ...bare, name: 'b', state: 'backoff' },
      { ...bare, name: 'c', state: 'stopping' },
      { ...bare, name: 'http', state: 'ready', canRestart: false },
    ];
    const last = serviceRows({ services }, 0, true).map(({ cells }) => cells[5]);
    const button = (id: string, isPossible: boolean) => ({
      text: 'Restart',
      asks: { id, label: `Restart ${id}`, isPossible },
    });
    expect(last).toEqual([button('a', true), button('b', true), button('c', false), { text: '' }]);
  });

  it('show checks, of which only ok is good', () => {
    const checks = [
      { name: 'a', outcome: 'ok' },
      { name: 'b', outcome: 'okay?' },
    ];
    const rows = checkRows(view({ health: { isReady: false, checks } }));
    expect(looks(rows, 1)).toEqual(['good', 'bad']);
    expect(checkRows(view())).toEqual([]);
  });

  it('show the newest event first, and only problems where that is wanted', () => {
    const shown = view({
      events: [event(1), event(2, { level: 'warning' }), event(3, { level: 'error' }), event(4)],
    });
    const keys = (rows: readonly Row[]): string[] => rows.map(({ key }) => key);
    expect(keys(eventRows(shown, false))).toEqual(['4', '3', '2', '1']);
    expect(keys(eventRows(shown, true))).toEqual(['3', '2']);
    expect(looks(eventRows(shown, true), 1)).toEqual(['bad', 'busy']);
  });

  it('tell figures of one name apart, and their unit', () => {
    const figure = { name: 'n', value: 1.5, unit: 's', description: 'd' };
    const rows = figureRows({
      figures: [
        { ...figure, attributes: 'a=1' },
        { ...figure, attributes: 'a=2', unit: '' },
        { ...figure, attributes: '', value: null },
      ],
    });
    expect(texts(rows)).toEqual([
      ['n', 'a=1', '1.50 s', 'd'],
      ['n', 'a=2', '1.5', 'd'],
      ['n', '', '–', 'd'],
    ]);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(3);
  });
});
