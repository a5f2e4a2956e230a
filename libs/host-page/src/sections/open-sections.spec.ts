import { describe, expect, it } from '@jest/globals';
import type { JobsView } from '../section-views.js';
import { OpenSections } from './open-sections.js';
import type { PageSection } from './section.js';

/** A section that notes what is asked of it. */
function notingSection(said: string[], isPresent = true): PageSection<'jobs'> {
  const empty: JobsView = { jobs: [], runnable: false };
  return {
    id: 'jobs',
    isPresent: () => isPresent,
    view: (full) => {
      said.push(full ? 'view in full' : 'view');
      return empty;
    },
    refresh: () => Promise.resolve(void said.push('refresh')),
    watch: () => {
      said.push('watch');
      return () => void said.push('leave');
    },
  };
}

describe('a section of the page', () => {
  it('works from its first viewer to its last', () => {
    const said: string[] = [];
    const open = new Set<string>();
    const sections = new OpenSections([notingSection(said)], (tab) => open.has(tab));
    sections.follow();
    open.add('overview');
    sections.follow();
    expect(said).toEqual([]);
    open.add('jobs');
    sections.follow();
    sections.follow();
    expect(said).toEqual(['watch']);
    open.delete('jobs');
    sections.follow();
    sections.follow();
    expect(said).toEqual(['watch', 'leave']);
  });

  it('is asked for its data by its own tab alone', () => {
    const said: string[] = [];
    const sections = new OpenSections([notingSection(said)], () => true);
    expect(sections.view('overview', true)).toEqual({});
    expect(said).toEqual([]);
    expect(sections.view('jobs', true)).toEqual({ jobs: { jobs: [], runnable: false } });
    expect(said).toEqual(['view in full']);
  });

  it('is refreshed while it is open, and for each new viewer', async () => {
    const said: string[] = [];
    const sections = new OpenSections([notingSection(said)], () => false);
    expect(await sections.refresh(false)).toBe(false);
    expect(said).toEqual([]);
    await sections.refresh(true);
    expect(said).toEqual(['refresh']);
  });

  it('is not there without a source', () => {
    const said: string[] = [];
    const sections = new OpenSections([notingSection(said, false)], () => true);
    expect([sections.present, sections.view('jobs', true), sections.find('jobs')]).toEqual([
      [],
      {},
      undefined,
    ]);
    expect(said).toEqual([]);
  });
});
