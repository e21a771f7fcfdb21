/** Minutes for which an access token is valid. */
export const tokenLifetimeMinutes = 60;
