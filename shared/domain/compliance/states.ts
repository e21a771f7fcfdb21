import type { Issue } from '../../platform/errors/issue.ts';
import type { ComplianceConfig } from '../decision/compliance-config.ts';

/** The faults of a config's states: each state that is given twice. */
export const repeatedStates = (states: ComplianceConfig['states']): Issue[] =>
  states.flatMap(({ stateCode }, index) =>
    states.findIndex((other) => other.stateCode === stateCode) === index
      ? []
      : [{ path: `states[${index}].stateCode`, message: 'is given more than once' }],
  );
