import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ConnectionReports } from './connection-reports.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function reporting(most?: number) {
  const lines: string[] = [];
  const reports = new ConnectionReports((line) => void lines.push(line), most);
  return { reports, taken: () => lines.splice(0) };
}

describe('the warnings of connections', () => {
  it('come at once for the first, and then once in 10 s with their number', () => {
    const { reports, taken } = reporting(5);
    const limit = 'maxConnections is 5, and as many are open';
    for (let n = 1; n <= 1_000; n += 1) reports.onRefused(`10.0.0.${n}`);
    expect(taken()).toEqual([`refused a connection of 10.0.0.1: ${limit}`]);
    jest.advanceTimersByTime(9_999);
    expect(taken()).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(taken()).toEqual(['refused 999 more connections, the last of 10.0.0.1000']);
    reports.onRefused('10.1.0.1');
    expect(taken()).toEqual([]);
    jest.advanceTimersByTime(10_000);
    expect(taken()).toEqual(['refused 1 more connections, the last of 10.1.0.1']);
    jest.advanceTimersByTime(10_000);
    reports.onRefused(undefined);
    expect(taken()).toEqual([`refused a connection of an unknown address: ${limit}`]);
  });

  it('of misuses do not hold back those of the limit', () => {
    const { reports, taken } = reporting(1);
    reports.onMisuse('10.0.0.1', 'too many frames of settings');
    reports.onMisuse('10.0.0.2', 'no preface of HTTP/2');
    reports.onRefused('10.0.0.3');
    expect(taken()).toEqual([
      'ended the connection of 10.0.0.1: too many frames of settings',
      'refused a connection of 10.0.0.3: maxConnections is 1, and as many are open',
    ]);
    expect(Array.from(reports.metrics(), ({ name, value }) => [name, value])).toEqual([
      ['apix.grpc.connections.refused', 1],
      ['apix.grpc.connections.misused', 2],
    ]);
    reports.stop();
    expect(taken()).toEqual([
      'ended 1 more connections, the last of 10.0.0.2: no preface of HTTP/2',
    ]);
    expect(jest.getTimerCount()).toBe(0);
  });
});
