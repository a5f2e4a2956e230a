/** What the provenance says that npm makes in a CI: which commit of which repository was built, by whom. */
export interface Attestation {
  readonly builder: string;
  /** The URL of the repository, as the CI knows it. */
  readonly repository: string;
  readonly commit: string;
  /** The workflow or job. */
  readonly workflow: string;
  /** Whether the CI lets npm ask for the OIDC token by which the statement is signed. */
  readonly hasToken: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What npm would state here; undefined outside of the two services that npm knows, GitHub Actions and GitLab CI. */
export function attestationOf(env: Environment): Attestation | undefined {
  const text = (name: string): string => env[name] ?? '';
  if (text('GITHUB_ACTIONS') === 'true') {
    return {
      builder: `https://github.com/actions/runner/${text('RUNNER_ENVIRONMENT')}`,
      repository: `${text('GITHUB_SERVER_URL')}/${text('GITHUB_REPOSITORY')}`,
      commit: text('GITHUB_SHA'),
      workflow: text('GITHUB_WORKFLOW_REF'),
      hasToken: text('ACTIONS_ID_TOKEN_REQUEST_URL') !== '',
    };
  }
  if (text('GITLAB_CI') === 'true') {
    return {
      builder: `${text('CI_PROJECT_URL')}/-/runners/${text('CI_RUNNER_ID')}`,
      repository: text('CI_PROJECT_URL'),
      commit: text('CI_COMMIT_SHA'),
      workflow: text('CI_JOB_NAME'),
      hasToken: text('SIGSTORE_ID_TOKEN') !== '',
    };
  }
  return undefined;
}

/** Why npm or the registry would refuse the statement, or it would say something untrue. */
export function attestationObstacles(
  attestation: Attestation | undefined,
  { commit, repository }: { readonly commit: string; readonly repository: string | null },
): string[] {
  if (attestation === undefined) {
    return ['npm makes provenance only in GitHub Actions and GitLab CI: run the release there'];
  }
  const stated = sameForm(attestation.repository);
  return [
    ...(attestation.hasToken
      ? []
      : [
          'the job may not ask for an OIDC token: give it `id-token: write` (GitHub) or SIGSTORE_ID_TOKEN (GitLab)',
        ]),
    ...(attestation.commit === commit
      ? []
      : [`the CI says commit ${attestation.commit}, but ${commit} is checked out`]),
    ...(repository === null || sameForm(repository) === stated
      ? []
      : [`the CI says repository ${attestation.repository}, the packages say ${repository}`]),
  ];
}

/** The registry compares the repositories without what git adds to a URL. */
function sameForm(url: string): string {
  return url
    .replace(/^git\+/, '')
    .replace(/\.git$/, '')
    .toLowerCase();
}
