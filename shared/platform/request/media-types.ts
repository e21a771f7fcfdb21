import type { Route } from '../contract/route.ts';

export const json = 'application/json';

export const multipartForm = 'multipart/form-data';

const urlEncodedForm = 'application/x-www-form-urlencoded';

/** The media type of a route's body. */
export const bodyType = ({ standard }: Pick<Route, 'standard'>) =>
  standard === undefined ? json : urlEncodedForm;
