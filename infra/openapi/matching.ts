import { agencyRuleDocs, agentRuleDocs } from '../../shared/domain/matching/docs.ts';
import {
  agencyRules,
  agentRules,
  autoMatchedFrom,
  fingerprintFields,
  type Rule,
  strongFrom,
} from '../../shared/domain/matching/rules.ts';

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(' with ');

const rows = <Evidence extends string>(
  of: string,
  rules: Readonly<Record<Evidence, Rule>>,
  docs: Readonly<Record<Evidence, string>>,
): string[] =>
  (Object.keys(docs) as Evidence[]).map(
    (evidence) =>
      `| ${of} | ${code(rules[evidence].fields)} | ${rules[evidence].confidence} | ${docs[evidence]} |`,
  );

/** The rules of matching as the OpenAPI document prints them. */
export const matchingDocumentation =
  (): string => `An import of policy transactions matches what a record itself does not say. A record’s own match statuses, and the association, agency, or agents that it names, are kept. \`user confirmed\` stays even when the transaction is amended.

| Finds | Field of the transaction | Confidence | Compared with |
|---|---|---|---|
${[...rows('agency', agencyRules, agencyRuleDocs), ...rows('agent', agentRules, agentRuleDocs)].join('\n')}

- **\`auto matched\`**: exactly one agency is identified by evidence of ${autoMatchedFrom} or more, and nothing disputes it. \`entityMatchConfidence\` is that of its best evidence.
- **\`manual review\`**: evidence fits, but none of ${autoMatchedFrom} or more; several agencies fit equally well; evidence of ${strongFrom} or more names different agencies; a stated NPN or FEIN is not the known one of the agency that the other evidence names, whether or not anybody else has it; the name is that of another agency, or does not fit that of the agency that the other evidence names (neither name has all the words of the other; misspelled words count, words of the trade such as “agency” or “insurance” do not); or the agency has several associations and it is not clear which one is meant.
- **\`unmatched\`**: no evidence fits an association of the organization.

**Branches.** The association is that of the \`producerCode\`, else that of the \`branchName\`, else the agency’s one association without a branch. A \`branchName\` that none of the agency’s branches has needs review.

**Agents** are decided in the same way: another NPN disputes the match, and so does a name that has no word of the agent’s last name. If a person must decide, \`matchedAgents\` has those who might be meant.

**Products** are those of the compliance configs: by \`productCode\`, else by \`productName\`, ignoring case. If several fit, the product needs clarification.

**Deduplication.** \`transactionFingerprint\` is the SHA-256, in hexadecimal, of a JSON array of these fields, in this order, with null for one that is absent: ${fingerprintFields.map((field) => `\`${field}\``).join(', ')}. \`uniqueTransactionId\` is not one of them. Among the transactions of a policy, one with a known \`uniqueTransactionId\` and fingerprint is a duplicate and changes nothing; one with a known \`uniqueTransactionId\` and another fingerprint replaces the earlier one, whose \`_id\` it keeps. Without a \`uniqueTransactionId\`, the fingerprint is the identity. An \`_id\` that the record carries makes no difference to this.`;
