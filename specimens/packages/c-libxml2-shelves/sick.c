/* Reads the catalogue of a public library and looks up the years and the loans of its books. */
#include <libxml/parser.h>
#include <libxml/xpath.h>
#include <stdio.h>
#include <stdlib.h>

static xmlChar *catalogue(unsigned shelves, int *length)
{
    xmlBufferPtr text = xmlBufferCreate();
    char part[160];
    xmlBufferCCat(text, "<library>");
    for (unsigned shelf = 0; shelf < shelves; shelf++) {
        snprintf(part, sizeof part, "<shelf number='%u'><row>", shelf);
        xmlBufferCCat(text, part);
        for (unsigned place = 0; place < 30; place++) {
            unsigned book = shelf * 30 + place;
            snprintf(part, sizeof part, "<book year='%u'><title>Volume %u</title><loans>%u</loans></book>", 1890 + book * 7 % 130, book,
                     book * 31 % 17);
            xmlBufferCCat(text, part);
        }
        xmlBufferCCat(text, "</row></shelf>");
    }
    xmlBufferCCat(text, "</library>");
    *length = xmlBufferLength(text);
    xmlChar *all = xmlBufferDetach(text);
    xmlBufferFree(text);
    return all;
}

static long total(xmlDocPtr library, const char *path)
{
    xmlXPathContextPtr context = xmlXPathNewContext(library);
    xmlXPathObjectPtr found = xmlXPathEvalExpression(BAD_CAST path, context);
    long sum = 0;
    for (int at = 0; at < xmlXPathNodeSetGetLength(found->nodesetval); at++)
        sum += (long)xmlXPathCastNodeToNumber(found->nodesetval->nodeTab[at]);
    xmlXPathFreeObject(found);
    xmlXPathFreeContext(context);
    return sum;
}

int main(int argc, char **argv)
{
    int length;
    if (argc < 2)
        return 1;
    xmlChar *text = catalogue((unsigned)strtoul(argv[1], NULL, 10), &length);
    xmlDocPtr library = xmlReadMemory((const char *)text, length, "library.xml", NULL, 0);
    printf("%ld years, %ld loans\n", total(library, "//book/@year"), total(library, "/library/shelf//book[loans > 3]/loans"));
    xmlFreeDoc(library);
    xmlFree(text);
    return 0;
}
