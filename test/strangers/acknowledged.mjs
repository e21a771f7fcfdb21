/**
 * What tools find and we accept: a rule, of which findings (all, unless `what` says so), and why.
 *
 * @type {Readonly<Record<string, readonly { rule: string, what?: RegExp, why: string }[]>>}
 */
export const acknowledged = {
  spectral: [
    {
      rule: 'owasp:api2:2023-jwt-best-practices',
      why: 'The tokens are opaque to callers, who do not verify them.',
    },
    {
      rule: 'owasp:api2:2023-read-restricted',
      why: 'The heartbeat and the keys of receipts are public.',
    },
    {
      rule: 'owasp:api2:2023-write-restricted',
      why: 'The token endpoints take the credential in their body.',
    },
    {
      rule: 'owasp:api4:2023-array-limit',
      why: 'Of responses, where a list has no limit but its bytes, and of what customers set in the sandbox, which the size of the body limits.',
    },
    {
      rule: 'owasp:api4:2023-integer-format',
      why: 'A format says less than the limits that integers in requests have.',
    },
    {
      rule: 'owasp:api4:2023-integer-limit',
      why: 'Of responses, whose numbers callers do not have to check, and of `sizeInBytes`, whose limit is in its description.',
    },
    {
      rule: 'owasp:api4:2023-rate-limit',
      why: 'Reads are not counted, so their responses have no headers of a limit (OpenAPI, "Rate limits").',
    },
    {
      rule: 'owasp:api4:2023-rate-limit-responses-429',
      why: 'Reads are not counted: only the throttle of the whole stage returns them a 429.',
    },
    {
      rule: 'owasp:api4:2023-string-limit',
      why: 'Of responses, and of texts that are sent whose format or pattern is their limit.',
    },
    {
      rule: 'owasp:api4:2023-string-restricted',
      why: 'Names, notes, and codes of other parties may be any text.',
    },
    {
      rule: 'owasp:api8:2023-define-cors-origin',
      why: 'The API is not called from browsers: a credential in a page would be public.',
    },
    {
      rule: 'owasp:api8:2023-define-error-responses-401',
      why: 'Of operations without a credential.',
    },
    {
      rule: 'owasp:api9:2023-inventory-access',
      why: 'The document has one server: the host that serves it.',
    },
    {
      rule: 'owasp:api9:2023-inventory-environment',
      why: 'The document has one server: the host that serves it.',
    },
  ],
};
