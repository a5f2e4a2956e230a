import { describe, expect, it } from '@jest/globals';
import { fakeClock } from '@apix/contracts/testing';
import { type Datagrams, type Sent, patientSocket } from './patient-socket.js';

/** A manager whose answers the test decides. */
function manager() {
  const taken: string[] = [];
  const state = { answer: 'sent' as Sent, tries: 0, isClosed: false };
  const datagrams: Datagrams = {
    send(text) {
      state.tries += 1;
      if (state.answer === 'sent') taken.push(text);
      return state.answer;
    },
    close: () => void (state.isClosed = true),
  };
  const clock = fakeClock();
  return { taken, state, clock, socket: patientSocket(datagrams, clock) };
}

describe('patientSocket', () => {
  it('tries again after 10 ms, and then each time twice as long, up to a second', async () => {
    const { state, clock, socket, taken } = manager();
    state.answer = 'full';
    expect(socket.send('READY=1')).toBe(true);
    const times: number[] = [];
    const begun = clock.now();
    for (let tries = state.tries, ms = 0; ms < 5_000; ms += 10) {
      await clock.advance(10);
      if (state.tries > tries) times.push(clock.now() - begun);
      tries = state.tries;
    }
    expect(times.slice(0, 9)).toEqual([10, 30, 70, 150, 310, 630, 1_270, 2_270, 3_270]);
    state.answer = 'sent';
    await clock.advance(1_000);
    expect(taken).toEqual(['READY=1']);
  });

  it('sends nothing before what has waited longer', async () => {
    const { state, clock, socket, taken } = manager();
    state.answer = 'full';
    socket.send('READY=1');
    state.answer = 'sent';
    socket.send('STOPPING=1');
    expect(taken).toEqual([]);
    await clock.advance(10);
    expect(taken).toEqual(['READY=1', 'STOPPING=1']);
  });

  it('keeps the latest of what only the latest says, and every state', async () => {
    const { state, clock, socket, taken } = manager();
    state.answer = 'full';
    for (const text of ['STATUS=a', 'WATCHDOG=1', 'RELOADING=1', 'WATCHDOG=1', 'STATUS=b']) {
      socket.send(text);
    }
    state.answer = 'sent';
    await clock.advance(10);
    expect(taken).toEqual(['RELOADING=1', 'WATCHDOG=1', 'STATUS=b']);
  });

  it('keeps 64 messages for a manager that has stopped reading', async () => {
    const { state, clock, socket, taken } = manager();
    state.answer = 'full';
    for (let count = 0; count < 1_000; count++) socket.send(`X=${count}`);
    state.answer = 'sent';
    await clock.advance(1_000);
    expect(taken).toHaveLength(64);
    expect(taken.at(-1)).toBe('X=999');
  });

  it('does not try again where nobody is there', async () => {
    const { state, clock, socket } = manager();
    state.answer = 'lost';
    expect(socket.send('READY=1')).toBe(false);
    await clock.advance(10_000);
    expect(state.tries).toBe(1);
  });

  it('does not try again after its end', async () => {
    const { state, clock, socket } = manager();
    state.answer = 'full';
    socket.send('READY=1');
    socket.close();
    expect(state).toMatchObject({ tries: 2, isClosed: true });
    await clock.advance(10_000);
    expect(state.tries).toBe(2);
  });
});
