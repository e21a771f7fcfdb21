import { createOrganizationAdministration } from '../../functions/admin/organizations.ts';
import { importChunks } from '../../infra/admin/import-file.ts';
import { complianceTable } from '../../shared/domain/compliance/table.ts';
import { policiesTable } from '../../shared/domain/policies/table.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { organizationsTable } from '../../shared/platform/identity/table.ts';
import { importInto } from '../support/imports.ts';
import { createTable, dynamo } from '../support/tables.ts';
import { count, type Row } from './report.ts';
import { samplePolicyTransaction } from './sample-policies.ts';

const transactions = 10_000;
const transactionsOfAPolicy = 2;
const longestSeconds = 60;

/** A carrier's file as an operator has it: transactions, a record a line, that name their policies by number. */
async function* lines(): AsyncGenerator<Buffer> {
  for (let index = 0; index < transactions; index += 1) {
    const policyIndex = Math.floor(index / transactionsOfAPolicy);
    const { policyId: _, upstreamEntityId: __, ...record } = samplePolicyTransaction(policyIndex, index);
    yield Buffer.from(JSON.stringify({ type: 'policy-transaction', ...record }));
  }
}

/** Imports a file twice by the import function's own code: once into nothing, once without changing anything. */
export async function measureImport(): Promise<Row[]> {
  const now = () => new Date();
  const organizationsName = await createTable(organizationsTable);
  const organizations = createOrganizationAdministration(
    tableOf(organizationsTable, dynamo, organizationsName),
    now,
  );
  const { organizationId } = await organizations.create({
    name: 'Bench',
    category: 'upstreamEntity',
    features: ['public_api', 'policies'],
    subscription: 'active',
    planCeiling: 100,
  });
  const importRecords = importInto({
    organizations: organizationsName,
    compliance: await createTable(complianceTable),
    policies: await createTable(policiesTable),
  });

  const importAll = async (): Promise<number> => {
    const started = performance.now();
    let imported = 0;
    for await (const chunk of importChunks(lines())) {
      imported += (await importRecords({ organizationId, ...chunk })).imported;
    }
    if (imported !== transactions) throw new Error(`Only ${imported} lines were imported.`);
    return (performance.now() - started) / 1_000;
  };
  const first = await importAll();
  const again = await importAll();
  return [
    {
      what: `import of ${count(transactions)} policy transactions`,
      measured: `${first.toFixed(1)} s (the same file again ${again.toFixed(1)} s)`,
      budget: `under ${longestSeconds} s`,
      isWithin: first < longestSeconds,
    },
  ];
}
