/** What must not import what. */
export default {
  forbidden: [
    {
      name: 'a function imports itself and shared',
      comment: 'What two functions need moves to shared.',
      severity: 'error',
      from: { path: '^functions/([^/]+)/' },
      to: { path: '^(functions|infra|test)/', pathNot: '^functions/$1/' },
    },
    {
      name: 'shared imports shared',
      severity: 'error',
      from: { path: '^shared/' },
      to: { path: '^(functions|infra|test)/' },
    },
    {
      name: 'the platform imports nothing of insurance',
      severity: 'error',
      from: { path: '^shared/platform/' },
      to: { path: '^shared/', pathNot: '^shared/platform/' },
    },
    {
      name: 'the domain knows nothing of functions',
      severity: 'error',
      from: { path: '^shared/domain/' },
      to: { path: '^shared/function/' },
    },
    {
      name: 'nothing that is deployed imports a test',
      severity: 'error',
      from: { path: '^infra/' },
      to: { path: '^test/' },
    },
    {
      name: 'no circles',
      severity: 'error',
      from: { path: '^(functions|infra|shared)/' },
      to: { circular: true },
    },
    {
      name: 'no circles of folders',
      comment:
        'A folder imports those below it alone: the floors of shared/domain are in the contributing guide.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^shared/' },
      to: { circular: true },
    },
    {
      name: 'stores know nothing of HTTP',
      comment: 'They throw domain errors.',
      severity: 'error',
      from: { path: '^(functions|shared)/.*store\\.ts$' },
      to: { path: '^shared/platform/contract/errors\\.ts$' },
    },
    {
      name: 'nothing but the decision judges licenses and appointments',
      severity: 'error',
      from: { pathNot: '^(shared/domain/decision|test)/' },
      to: { path: '^shared/domain/decision/(license-|appointment(?!-identity))' },
    },
    {
      name: 'names of companies are compared by the decision and the catalog, and those of agencies, agents, and insureds to match them',
      severity: 'error',
      from: {
        pathNot: [
          '^(shared/domain/(decision|matching)|test)/',
          '^functions/import/(matching/parties|policy/sales)\\.ts$',
          '^shared/domain/(associations/match-evidence|carriers/catalog)\\.ts$',
        ],
      },
      to: { path: '^shared/domain/identifiers/comparable-names\\.ts$' },
    },
  ],
  // TypeScript 7 has no compiler API for the default parser.
  options: { parser: 'swc', doNotFollow: { path: 'node_modules' } },
};
