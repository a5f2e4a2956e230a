import { describe, expect, it } from '@jest/globals';
import { attestationObstacles, attestationOf } from './attestation.js';

const GITHUB = {
  GITHUB_ACTIONS: 'true',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REPOSITORY: 'Owner/apix',
  GITHUB_SHA: 'abc',
  GITHUB_WORKFLOW_REF: 'Owner/apix/.github/workflows/release.yml@refs/tags/v0.1.0',
  RUNNER_ENVIRONMENT: 'github-hosted',
  ACTIONS_ID_TOKEN_REQUEST_URL: 'https://token.test',
};
const GITLAB = {
  GITLAB_CI: 'true',
  CI_PROJECT_URL: 'https://gitlab.test/owner/apix',
  CI_RUNNER_ID: '7',
  CI_COMMIT_SHA: 'abc',
  CI_JOB_NAME: 'release',
  SIGSTORE_ID_TOKEN: 'token',
};
const OURS = { commit: 'abc', repository: 'git+https://github.com/owner/apix.git' };

describe('the provenance', () => {
  it('of GitHub Actions names runner, repository, commit and workflow', () => {
    expect(attestationOf(GITHUB)).toEqual({
      builder: 'https://github.com/actions/runner/github-hosted',
      repository: 'https://github.com/Owner/apix',
      commit: 'abc',
      workflow: 'Owner/apix/.github/workflows/release.yml@refs/tags/v0.1.0',
      hasToken: true,
    });
  });

  it('of GitLab CI names runner, repository, commit and job', () => {
    expect(attestationOf(GITLAB)).toEqual({
      builder: 'https://gitlab.test/owner/apix/-/runners/7',
      repository: 'https://gitlab.test/owner/apix',
      commit: 'abc',
      workflow: 'release',
      hasToken: true,
    });
  });

  it('can be made of this commit and repository', () => {
    expect(attestationObstacles(attestationOf(GITHUB), OURS)).toEqual([]);
    expect(attestationObstacles(attestationOf(GITHUB), { ...OURS, repository: null })).toEqual([]);
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ['outside of a CI', {}, /only in GitHub Actions and GitLab CI/],
    ['in an unknown CI', { CI: 'true' }, /only in GitHub Actions and GitLab CI/],
    ['without a token', { ...GITHUB, ACTIONS_ID_TOKEN_REQUEST_URL: '' }, /id-token: write/],
    ['of another commit', { ...GITHUB, GITHUB_SHA: 'def' }, /says commit def, but abc/],
    [
      'of another repository',
      { ...GITHUB, GITHUB_REPOSITORY: 'fork/apix' },
      /says repository https:\/\/github\.com\/fork\/apix, the packages say git\+https/,
    ],
  ])('cannot be made %s', (_, env, obstacle) => {
    expect(attestationObstacles(attestationOf(env), OURS)).toEqual([
      expect.stringMatching(obstacle),
    ]);
  });
});
