import java.io.ByteArrayOutputStream;
import java.io.IOException;

import org.apache.poi.hssf.usermodel.HSSFRow;
import org.apache.poi.hssf.usermodel.HSSFSheet;
import org.apache.poi.hssf.usermodel.HSSFWorkbook;
import org.apache.poi.ss.util.CellRangeAddress;

public class Sick {
    private static final String[] REGIONS = {"North", "South", "East", "West", "Central"};

    static void writeOrder(HSSFSheet sheet, int order) {
        int first = order * 2;
        for (int line = 0; line < 2; line++) {
            HSSFRow row = sheet.createRow(first + line);
            row.createCell(0).setCellValue(REGIONS[order % REGIONS.length]);
            row.createCell(2).setCellValue("article " + (order * 3 + line) % 700);
            row.createCell(3).setCellValue((order * 17 + line * 5) % 240);
        }
        mergeHeading(sheet, first);
    }

    static void mergeHeading(HSSFSheet sheet, int first) {
        sheet.addMergedRegion(new CellRangeAddress(first, first + 1, 0, 1));
    }

    static HSSFWorkbook buildReport(int orders) {
        HSSFWorkbook workbook = new HSSFWorkbook();
        HSSFSheet sheet = workbook.createSheet("orders");
        for (int order = 0; order < orders; order++) {
            writeOrder(sheet, order);
        }
        return workbook;
    }

    static double total(HSSFSheet sheet) {
        double sum = 0;
        for (int r = 0; r <= sheet.getLastRowNum(); r++) {
            sum += sheet.getRow(r).getCell(3).getNumericCellValue();
        }
        return sum;
    }

    public static void main(String[] args) throws IOException {
        int orders = Integer.parseInt(args[0]);
        try (HSSFWorkbook workbook = buildReport(orders)) {
            HSSFSheet sheet = workbook.getSheetAt(0);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            workbook.write(out);
            System.out.println("orders " + orders + " merged " + sheet.getNumMergedRegions()
                    + " total " + total(sheet) + " bytes " + out.size());
        }
    }
}
