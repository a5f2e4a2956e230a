import { describe, expect, it } from '@jest/globals';
import { HostPicture } from './host-picture.js';

describe('HostPicture', () => {
  it('names the first ten services that the host waits for, and counts the others', () => {
    let text = '';
    const { observer } = new HostPicture((picture) => (text = picture.text));
    observer.hostPhaseChanged?.({ from: 'idle', to: 'starting' });
    for (let at = 1; at <= 10_000; at++) {
      observer.serviceStarting?.({ service: `s${at}`, attempt: 0 });
    }
    expect(text).toBe(
      'starting: waiting for s1, s2, s3, s4, s5, s6, s7, s8, s9, s10 and 9990 more',
    );
    observer.serviceReady?.({ service: 's2', attempt: 0, durationMs: 1 });
    expect(text).toContain('s1, s3, ');
    observer.serviceCompleted?.({ service: 's1', durationMs: 1 });
    expect(text).toContain('for s3, ');
  });

  it('says of a host that runs which service is restarted', () => {
    let text = '';
    const { observer } = new HostPicture((picture) => (text = picture.text));
    observer.hostPhaseChanged?.({ from: 'starting', to: 'running' });
    observer.serviceStopping?.({ service: 'outbox' });
    expect(text).toBe('running, but restarting outbox');
    observer.serviceStopped?.({ service: 'outbox', durationMs: 1 });
    expect(text).toBe('running');
  });
});
