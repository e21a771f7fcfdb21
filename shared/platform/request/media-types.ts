export const json = 'application/json';

export const multipartForm = 'multipart/form-data';
